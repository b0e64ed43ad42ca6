import type { Message } from '../../canonical/index.ts'

const BY_MODEL = new Set([
  'apply_patch_call',
  'code_interpreter_call',
  'computer_call',
  'file_search_call',
  'local_shell_call',
  'mcp_approval_request',
  'mcp_call',
  'mcp_list_tools',
  'program',
  'shell_call',
  'tool_search_call',
  'web_search_call',
])

const BY_CLIENT = new Set([
  'apply_patch_call_output',
  'computer_call_output',
  'local_shell_call_output',
  'mcp_approval_response',
  'program_output',
  'shell_call_output',
  'tool_search_output',
])

/** Whose turn an item of a hosted tool belongs to; `undefined` for items we do not know. */
export function hostedSpeaker(type: string): Message['role'] | undefined {
  if (BY_MODEL.has(type)) return 'assistant'
  return BY_CLIENT.has(type) ? 'user' : undefined
}

/** Why an item cannot leave OpenAI, for those that stand for something only OpenAI can read. */
export function keptBy(type: string): string | undefined {
  switch (type) {
    case 'item_reference':
      return 'item_reference names an item kept by OpenAI; send the item itself instead'
    case 'compaction':
    case 'compaction_summary':
      return 'a compaction item holds a conversation only OpenAI can read; send the messages themselves instead'
    case 'compaction_trigger':
      return 'compaction_trigger asks OpenAI to shorten the conversation, which other vendors cannot'
    default:
      return undefined
  }
}
