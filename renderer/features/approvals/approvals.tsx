/** Calls that wait for a person's word, above whatever page is open. */

export function Approvals() {
  return null;
}
