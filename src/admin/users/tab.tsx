import { NotOpen } from "../not-open.tsx";
import { titled } from "../titled.ts";

export const meta = titled("Users");

export default function UsersTab() {
  return <NotOpen title="Users">The people who may sign in will be managed here.</NotOpen>;
}
