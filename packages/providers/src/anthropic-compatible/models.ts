/** Names offered when a channel is set up; an operator may enter any other. */
export const CLAUDE_MODELS: readonly string[] = [
  'claude-instant-1.2',
  'claude-2',
  'claude-2.0',
  'claude-2.1',
  'claude-3-sonnet-20240229',
  'claude-3-opus-20240229',
  'claude-3-haiku-20240307',
  'claude-3-5-haiku-20241022',
  'claude-3-5-sonnet-20240620',
  'claude-3-5-sonnet-20241022',
  'claude-3-7-sonnet-20250219',
  'claude-3-7-sonnet-20250219-thinking',
  'claude-sonnet-4-20250514',
  'claude-sonnet-4-20250514-thinking',
  'claude-opus-4-20250514',
  'claude-opus-4-20250514-thinking',
]
