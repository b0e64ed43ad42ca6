import { asList, asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { type FailureClass, failureInside } from '../../upstream/failure.ts'
import { countsIn, type Said, type SaidCall } from '../../custom-protocols/response-chunk.ts'
import type { AnswerReader } from '../../custom-protocols/translate-response.ts'

/** A whole answer is inside `Response`, and so is a refusal, whatever was asked for; the events of a stream are bare. */
export const hunyuanReader: AnswerReader = {
  event(data) {
    refuseErrors(asJsonObject(data.Response) ?? data)
    const { usage, ...said } = choiceIn(data, 'Delta')
    // Counts so far come with every event; only the last are the sums.
    return said.finish === undefined ? said : { ...said, usage, isLast: true }
  },
  whole(body) {
    const answer = asJsonObject(body.Response) ?? body
    refuseErrors(answer)
    return choiceIn(answer, 'Message')
  },
}

function choiceIn(answer: JsonObject, member: 'Delta' | 'Message'): Said {
  const choice = asJsonObject(asList(answer.Choices)[0])
  const said = asJsonObject(choice?.[member])
  const calls = asList(said?.ToolCalls).map((call, place) => callOf(asJsonObject(call) ?? {}, place))
  return {
    id: asText(answer.Id),
    ...(typeof answer.Created === 'number' && { created: answer.Created }),
    text: asText(said?.Content),
    thoughts: asText(said?.ReasoningContent),
    ...(calls.length > 0 && { calls }),
    ...finishOf(asText(choice?.FinishReason)),
    ...countsIn(asJsonObject(answer.Usage), 'PromptTokens', 'CompletionTokens'),
  }
}

function callOf({ Id, Index, Function }: JsonObject, place: number): SaidCall {
  const called = asJsonObject(Function)
  return {
    index: typeof Index === 'number' ? Index : place,
    id: asText(Id),
    name: asText(called?.Name),
    arguments: asText(called?.Arguments),
  }
}

function finishOf(reason: string): Pick<Said, 'finish'> {
  if (reason === '') return {}
  return { finish: reason === 'sensitive' ? 'content_filter' : reason }
}

function refuseErrors(answer: JsonObject): void {
  const error = asJsonObject(answer.Error)
  if (error) {
    const code = asText(error.Code)
    throw failureInside({ fault: faultOf(code), code, message: asText(error.Message) })
  }
  const midway = asJsonObject(answer.ErrorMsg)
  if (!midway || (!midway.Code && !midway.Msg)) return
  throw failureInside({ fault: 'server', code: String(midway.Code), message: asText(midway.Msg) })
}

const FAULTS: readonly (readonly [RegExp, FailureClass])[] = [
  [/Exhausted|Arrears|Insufficient/i, 'credit'],
  [/LimitExceeded|Frequent/i, 'rate'],
  [/^AuthFailure|^Unauthorized|NotActivated/i, 'auth'],
  [/^(Invalid|Missing|Unknown|Unsupported)/i, 'client'],
]

function faultOf(code: string): FailureClass {
  return FAULTS.find(([words]) => words.test(code))?.[1] ?? 'server'
}
