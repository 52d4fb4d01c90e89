import { testThatEveryAddressIsAsked, testThatNoneIsMissing, testWrites } from "./support/invalidation.ts";

testWrites("others");
testThatNoneIsMissing();
testThatEveryAddressIsAsked();
