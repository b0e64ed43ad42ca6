import type { Content, FunctionDeclaration, GenerationConfig, Part } from '@google/genai'
import type { ReceivedRequest } from '@tidegate/testing'
import { mergeTurns, type DecodedRequest, type DecodedPart, type Upstream } from '../received-request.ts'

interface Request {
  contents: Content[]
  systemInstruction?: Content
  tools?: { functionDeclarations?: FunctionDeclaration[] }[]
  generationConfig?: GenerationConfig
}

/** Google's generateContent, with a model that requires its signatures. */
export const geminiUpstream: Upstream = {
  protocol: 'gemini-generate',
  channel: { type: 24 },
  model: 'gemini-3-pro-preview',
  reportedCounts: ['cacheRead', 'reasoning'],
  inspect,
}

function inspect({ body, path }: ReceivedRequest): DecodedRequest {
  const request = body as Request
  const { generationConfig: config = {} } = request
  const declared = (request.tools ?? []).flatMap(({ functionDeclarations = [] }) => functionDeclarations)
  return {
    system: (request.systemInstruction?.parts ?? []).map(({ text = '' }) => text).join('\n'),
    turns: mergeTurns(
      request.contents.map(({ role, parts = [] }) => ({
        role: role === 'model' ? 'assistant' : 'user',
        parts: parts.flatMap(partsOf),
      })),
    ),
    tools: declared.map(({ name = '', description, parameters, parametersJsonSchema }) => ({
      name,
      description,
      parameters: parameters ?? parametersJsonSchema,
    })),
    maxTokens: config.maxOutputTokens,
    stop: config.stopSequences ?? [],
    schema: config.responseJsonSchema ?? config.responseSchema,
    thinks: Boolean(config.thinkingConfig?.thinkingBudget ?? config.thinkingConfig?.thinkingLevel),
    marked: [],
    streams: path.endsWith(':streamGenerateContent'),
  }
}

function partsOf(part: Part): DecodedPart[] {
  const {
    text,
    inlineData,
    fileData,
    functionCall: request,
    functionResponse: result,
    thoughtSignature: signature,
  } = part
  if (request) {
    return [
      {
        kind: 'call',
        id: request.id,
        name: request.name ?? '',
        arguments: JSON.stringify(request.args ?? {}),
        signature,
      },
    ]
  }
  if (result) {
    const images = (result.parts ?? []).flatMap(({ inlineData: blob }) => (blob ? [mediaOf(blob)] : []))
    return [{ kind: 'result', id: result.id, text: resultText(result.response ?? {}), images }]
  }
  if (fileData) return [{ kind: 'image', url: fileData.fileUri }]
  if (inlineData) {
    const media = mediaOf(inlineData)
    return [
      media.mediaType.startsWith('image/') ? { kind: 'image', image: media } : { kind: 'document', document: media },
    ]
  }
  if (part.thought) return [{ kind: 'thinking', text: text ?? '', signature }]
  // A signature on plain text stands for the thinking before it.
  const signed: DecodedPart[] = signature === undefined ? [] : [{ kind: 'thinking', text: '', signature }]
  return text ? [...signed, { kind: 'text', text }] : signed
}

function mediaOf({ mimeType = '', data = '' }: { mimeType?: string; data?: string }) {
  return { mediaType: mimeType, data }
}

/** The gateway wraps plain text in a field of its choice. */
function resultText(response: Record<string, unknown>): string {
  const values = Object.values(response)
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(response)
}
