declare module "*.wasm" {
  const compiled: WebAssembly.Module;
  export default compiled;
}

declare module "*.ttf?inline" {
  const address: string;
  export default address;
}
