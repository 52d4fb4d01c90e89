declare module "autocannon" {
  type Request = { method?: string; path?: string; headers?: Record<string, string> };
  type Options = {
    url: string;
    connections: number;
    /** Seconds. */
    duration?: number;
    /** The number of requests, instead of a duration. */
    amount?: number;
    /** Requests a second over all connections; absent is as fast as they go. */
    overallRate?: number;
    /** Milliseconds between samples, at which it also notices that it has finished. */
    sampleInt?: number;
    headers?: Record<string, string>;
    requests?: (Request & { setupRequest?: (request: Request) => Request })[];
  };
  type Result = {
    requests: { average: number; total: number };
    /** Seconds that it took, in hundredths. */
    duration: number;
    /** Milliseconds. */
    latency: { p50: number; p99: number };
    errors: number;
    timeouts: number;
    statusCodeStats: Record<string, { count: number }>;
  };
  namespace autocannon {
    export { Options };
  }
  function autocannon(options: Options): Promise<Result>;
  export default autocannon;
}
