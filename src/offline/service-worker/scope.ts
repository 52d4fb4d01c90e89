/** The used part of a service worker's scope. TypeScript's types for it conflict with those of the DOM. */
type Scope = {
  location: Location;
  clients: {
    claim: () => Promise<void>;
    get: (id: string) => Promise<{ url: string } | undefined>;
  };
  registration: ServiceWorkerRegistration;
  skipWaiting: () => Promise<void>;
  addEventListener: <Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void) => void;
};

type Lasting = { waitUntil: (work: Promise<unknown>) => void };
export type Asking = Lasting & {
  request: Request;
  clientId: string;
  respondWith: (answer: Promise<Response>) => void;
};
type Events = { install: Lasting; activate: Lasting; fetch: Asking; message: Lasting & { data: unknown } };

export const scope = globalThis as unknown as Scope;
