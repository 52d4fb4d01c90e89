import { testWrites } from "./support/invalidation.ts";

testWrites("writing");
