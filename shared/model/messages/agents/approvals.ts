/** Calls that need an approval, and calls that may have been carried out although they failed. */
export const approvals = {
  'approval.longOnes': 'The call needs an approval, and others with long arguments wait for one already',
  'approval.longOnes.hint': 'Wait for the answers to those, then call again, or put long arguments into a file',
  'approval.many': ({ open, of }: { open: number; of: 'all' | 'client' }) =>
    `The call needs an approval, and ${open} calls of ${of === 'all' ? 'all clients' : 'this client'} wait for one already`,
  'approval.many.hint':
    'Wait for the answers to those, then call again. Send many records with one batched call, which is asked about once. The bound is limits.maxOpenApprovals',
  'approval.notThroughWindow': ({ name }: { name: string }) =>
    `The call of ${name} needs a confirmation, which only the person at the open Filebridge window may give, and this connection does not go through it`,
  'approval.notThroughWindow.hint':
    'Ask the user to connect this client again while the window is open, by its address or with the same settings as the window’s',
  'approval.toolChanged': ({ server, tool }: { server: string; tool: string }) =>
    `Server '${server}' or its tool '${tool}' changed while the call waited for its approval. Nothing was sent`,
  'approval.toolChanged.hint': 'Make the call again, so that the user is asked about it as it is now',
  'approval.waiting': 'Waiting for the user to allow the call',
  'approval.noCompletions': 'Completions need an approval here, and nobody is asked for each of them',
  'approval.closed': 'This question is no longer open',
  'approval.answering': 'It is being answered already',
  'approval.over': 'The call was cancelled, or nobody answered in time',
  'approval.onceOnly': 'A change to files is allowed for this once',
  'approval.onceOnly.hint': 'The Folders page says what needs an approval in each folder',

  'call.mayHaveRun': ({ repeat, hint }: { repeat: string | null; hint: string | null }) =>
    ['The call may have been carried out: check before calling again', repeat, hint].filter((part) => part !== null).join('. '),
};
