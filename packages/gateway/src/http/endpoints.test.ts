import { describe, expect, it } from 'vitest'
import { findEndpoint, isGatewayPath } from './endpoints.ts'

describe('findEndpoint', () => {
  it.each([
    ['/v1/chat/completions', 'openai-chat'],
    ['/v1/chat/completions/', 'openai-chat'],
    ['/hf/v1/chat/completions?x=1', 'openai-chat'],
    ['/v1/v1/chat/completions', 'openai-chat'],
    ['/hf/v1/v1/messages', 'anthropic-messages'],
    ['/v1/completions', 'openai-completions'],
    ['/v1/responses', 'openai-responses'],
    ['/v1/messages?beta=true', 'anthropic-messages'],
  ])('finds a chat at %s', (url, protocol) => {
    expect(findEndpoint('POST', url)).toMatchObject({ kind: 'chat', protocol })
  })

  it.each([
    ['/v1beta/models/gemini-2.5-pro:generateContent', 'gemini-2.5-pro', false],
    ['/v1beta/models/org%2Fname:streamGenerateContent?alt=sse', 'org/name', true],
    ['/v1beta/models/org/name:v2:generateContent', 'org/name:v2', false],
    ['/v1beta/v1beta/models/m:generateContent', 'm', false],
    ['/v1/v1beta/models/m:generateContent', 'm', false],
  ])("reads Gemini's path %s", (url, model, stream) => {
    expect(findEndpoint('POST', url)).toEqual({
      kind: 'chat',
      protocol: 'gemini-generate',
      path: { model, stream },
    })
  })

  it.each([
    ['GET', '/v1/models', 'list-models', 'openai-chat'],
    ['GET', '/v1beta/models', 'list-models', 'gemini-generate'],
    ['GET', '/v1/models/org%2Fm', 'one-model', 'openai-chat'],
    ['GET', '/v1beta/models/m', 'one-model', 'gemini-generate'],
    ['DELETE', '/v1/models/m', 'not-implemented', 'openai-chat'],
    ['POST', '/v1/messages/count_tokens', 'count-tokens', 'anthropic-messages'],
    ['GET', '/v1/messages', 'unknown', 'anthropic-messages'],
    ['POST', '/v1/messages/batches', 'batch', 'anthropic-messages'],
    ['DELETE', '/v1/messages/batches/msgbatch_1', 'batch', 'anthropic-messages'],
    ['GET', '/v1/messages/batches/msgbatch_1/results', 'batch', 'anthropic-messages'],
    ['GET', '/v1/batches/batch_1', 'batch', 'openai-chat'],
    ['DELETE', '/v1/batches/batch_1', 'unknown', 'openai-chat'],
    ['POST', '/v1beta/models/m:countTokens', 'count-tokens', 'gemini-generate'],
    ['POST', '/v1beta/models/m:embedContent', 'unknown', 'gemini-generate'],
    ['POST', '/v1beta/interactions', 'chat', 'gemini-interactions'],
    ['POST', '/v1/interactions', 'chat', 'gemini-interactions'],
    ['GET', '/v1beta/interactions', 'unknown', 'gemini-interactions'],
    ['GET', '/v1beta/interactions/v1_1?stream=true', 'stored-response', 'gemini-interactions'],
    ['DELETE', '/v1beta/interactions/v1_1', 'stored-response', 'gemini-interactions'],
    ['POST', '/v1beta/interactions/v1_1/cancel', 'stored-response', 'gemini-interactions'],
    ['POST', '/v1beta/interactions/v1_1', 'unknown', 'gemini-interactions'],
    ['GET', '/v1beta/interactions/v1_1/input_items', 'unknown', 'gemini-generate'],
    ['GET', '/v1/responses', 'responses-socket', 'openai-responses'],
    ['GET', '/v1/responses/resp_1', 'stored-response', 'openai-responses'],
    ['DELETE', '/v1/responses/resp_1', 'stored-response', 'openai-responses'],
    ['GET', '/v1/responses/resp_1/input_items?limit=2', 'stored-response', 'openai-responses'],
    ['POST', '/v1/responses/resp_1', 'not-implemented', 'openai-chat'],
    ['POST', '/v1/files', 'file', 'openai-chat'],
    ['GET', '/v1/files/file-1/content', 'file', 'openai-chat'],
    ['POST', '/v1/fine_tuning/jobs', 'not-implemented', 'openai-chat'],
    ['POST', '/v1/nothing', 'unknown', 'openai-chat'],
  ])('maps %s %s to %s, with the protocol %s', (method, url, kind, protocol) => {
    expect(findEndpoint(method, url)).toMatchObject({ kind, protocol })
  })

  it.each([
    ['POST', '/pg/chat/completions', 'chat'],
    ['POST', '/pg/chat/completions/?x=1', 'chat'],
    ['GET', '/pg/chat/completions', 'unknown'],
    ['POST', '/pg/completions', 'unknown'],
  ])("maps %s %s to the console's %s", (method, url, kind) => {
    expect(isGatewayPath(url)).toBe(true)
    expect(findEndpoint(method, url)).toEqual({ kind, protocol: 'openai-chat', ofConsole: true })
  })

  it.each([
    ['/shadow/v1/chat/completions?x=1', '/v1/chat/completions', 'chat', 'openai-chat'],
    ['/shadow/v1/messages', '/v1/messages', 'chat', 'anthropic-messages'],
    ['/shadow/v1beta/models/m:generateContent', '/v1beta/models/m:generateContent', 'chat', 'gemini-generate'],
    ['/shadow/v1beta/interactions', '/v1beta/interactions', 'chat', 'gemini-interactions'],
    ['/shadow/v1/embeddings', '/v1/embeddings', 'operation', 'openai-chat'],
    ['/shadow/suno/submit/music', '/suno/submit/music', 'task', 'openai-chat'],
    ['/shadow/shadow/v1/chat/completions', '/shadow/v1/chat/completions', 'unknown', 'openai-chat'],
    ['/shadow/api/status', '/api/status', 'unknown', 'openai-chat'],
  ])('treats %s as a copy of %s', (url, path, kind, protocol) => {
    expect(isGatewayPath(url)).toBe(true)
    expect(findEndpoint('POST', url)).toMatchObject({ kind: 'shadow', protocol, path, of: { kind, protocol } })
  })

  it('does not match pages of the console', () => {
    expect(isGatewayPath('/playground')).toBe(false)
  })

  it("uses Anthropic's protocol for Anthropic's clients on every path", () => {
    expect(findEndpoint('GET', '/v1/models', true)).toMatchObject({
      kind: 'list-models',
      protocol: 'anthropic-messages',
    })
  })
})
