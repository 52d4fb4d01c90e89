export { Follow } from "./follow.tsx";
