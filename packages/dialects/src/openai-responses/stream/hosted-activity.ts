const HOSTED = [
  'response.web_search_call.',
  'response.file_search_call.',
  'response.code_interpreter_call',
  'response.image_generation_call.',
  'response.mcp_call',
  'response.mcp_list_tools.',
  'response.computer_call',
  'response.local_shell_call',
  'response.shell_call_',
  'response.apply_patch_call',
  'response.audio.',
]

/** Whether an event tells of a tool that the vendor runs itself, or of sound: things no other dialect has words for. */
export function isHostedActivity(type: string): boolean {
  return HOSTED.some((start) => type.startsWith(start))
}
