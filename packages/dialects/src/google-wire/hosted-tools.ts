/** Tools that Google runs, by their type in the Interactions API. The value is their member in generateContent. */
export const HOSTED_TOOL_MEMBERS: Readonly<Record<string, string>> = {
  code_execution: 'codeExecution',
  url_context: 'urlContext',
}
