import { nameSet, ProviderError, requireThat } from '../checks.ts'
import type { UpstreamState } from '../types.ts'
import { type Content, type InteractionRequest, type Step, stepsOf } from './request.ts'

/** Rejects what the Interactions API rejects. */
export function checkInteraction(request: InteractionRequest, state: UpstreamState, key: string | undefined): void {
  checkMembers(request, MEMBERS, '')
  checkMembers(request.generation_config ?? {}, CONFIG_MEMBERS, 'generation_config')
  requireThat(request.model !== undefined || request.agent !== undefined, 'model or agent is required')
  requireThat(request.background !== true || request.store !== false, 'background requires store')
  const { previous_interaction_id: previous } = request
  if (previous !== undefined && state.responses.get(previous) !== key) {
    throw new ProviderError(`Interaction ${previous} not found.`, { status: 404 })
  }
  for (const [index, tool] of (request.tools ?? []).entries()) {
    requireThat(TOOL_TYPES.has(tool.type ?? ''), `tools[${index}].type: unknown type ${tool.type}`)
    if (tool.type === 'function') requireThat(NAME.test(tool.name ?? ''), `tools[${index}].name: Invalid function name`)
  }
  const steps = stepsOf(request.input)
  requireThat(steps.length > 0, 'input is required')
  steps.forEach((step, index) => checkStep(step, `input[${index}]`, state))
  if (previous === undefined) checkCalls(steps)
}

function checkMembers(value: object, known: ReadonlySet<string>, path: string): void {
  for (const member of Object.keys(value)) requireThat(known.has(member), `Unknown parameter '${member}' at '${path}'`)
}

const MEMBERS = nameSet(`
  model agent agent_config input system_instruction tools generation_config response_format response_mime_type
  response_modalities safety_settings previous_interaction_id store background stream service_tier cached_content
  labels webhook_config environment continuation_token
`)
const CONFIG_MEMBERS = nameSet(`
  temperature top_p seed stop_sequences max_output_tokens thinking_level thinking_summaries tool_choice image_config
  speech_config video_config transcription_config
`)
const TOOL_TYPES = nameSet(`
  function google_search code_execution url_context file_search google_maps computer_use mcp_server retrieval
`)
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/
const HOSTED = /^(google_search|code_execution|url_context|file_search|google_maps|mcp_server_tool)_(call|result)$/

function checkStep(step: Step, path: string, { signatures }: UpstreamState): void {
  switch (step.type) {
    case 'user_input':
    case 'model_output':
      requireThat(Array.isArray(step.content) && step.content.length > 0, `${path}.content must not be empty`)
      step.content.forEach((content, index) => checkContent(content, `${path}.content[${index}]`))
      return
    case 'thought':
      // Google rejects thoughts of other models.
      if (step.signature !== undefined) {
        const subject = signatures.subjectOf('gemini-interactions', step.signature)
        requireThat(subject !== undefined, `${path}.signature: Corrupted thought signature.`)
      }
      return
    case 'function_call':
      requireThat(step.id && step.name, `${path}: a function_call needs an id and a name`)
      requireThat(isObject(step.arguments), `${path}.arguments: must be an object`)
      return
    case 'function_result':
      requireThat(step.call_id, `${path}.call_id is required`)
      requireThat(step.result !== undefined, `${path}.result is required`)
      return
    default:
      requireThat(HOSTED.test(step.type ?? ''), `${path}.type: unknown type ${step.type}`)
  }
}

function checkContent(content: Content, path: string): void {
  if (content.type === 'text') return requireThat(typeof content.text === 'string', `${path}.text is required`)
  requireThat(content.data !== undefined || content.uri !== undefined, `${path}: data or uri is required`)
  if (content.data === undefined) return
  requireThat(/^[a-z]+\/[a-z0-9.+-]+$/.test(content.mime_type ?? ''), `${path}.mime_type: Unsupported MIME type`)
  requireThat(/^[A-Za-z0-9+/_-]+=*$/.test(content.data), `${path}.data: not valid base64`)
}

/** Without stored state, every result belongs to a call of the input, and every call has a result. */
function checkCalls(steps: readonly Step[]): void {
  const calls = steps.flatMap(({ type, id }) => (type === 'function_call' ? [id] : []))
  const results = steps.flatMap(({ type, call_id: id }) => (type === 'function_result' ? [id] : []))
  for (const id of results) requireThat(calls.includes(id), `function_result ${id} belongs to no function_call`)
  for (const id of calls) requireThat(results.includes(id), `function_call ${id} has no function_result`)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
