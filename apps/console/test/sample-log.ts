import type { UsageLog } from '@tidegate/contract/api'

/** The log row of a streamed request with 1000 input and 500 output tokens. `other` has the free-form fields. */
export function aLog(other: object = {}, changes: Partial<UsageLog> = {}): UsageLog {
  return {
    id: 1,
    created_at: 1_700_000_000,
    type: 2,
    content: '',
    user_id: 7,
    username: 'mira',
    token_id: 1,
    token_name: 'laptop',
    model_name: 'gpt-4o',
    quota: 3625,
    prompt_tokens: 1000,
    completion_tokens: 500,
    use_time: 2,
    use_time_ms: 2000,
    is_stream: true,
    channel: 0,
    channel_name: '',
    group: 'default',
    client_ip: '',
    request_id: '',
    other: JSON.stringify(other),
    ...changes,
  }
}
