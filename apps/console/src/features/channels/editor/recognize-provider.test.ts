import { channelTypeOf } from '@tidegate/contract/api'
import { describe, expect, it } from 'vitest'
import { recognizeProvider } from './recognize-provider.ts'

describe('recognizing a provider by its key', () => {
  it.each([
    ['sk-ant-api03-abcdefghijklmnop', 'Anthropic'],
    ['sk-or-v1-0123456789abcdef', 'OpenRouter'],
    ['sk-proj-0123456789abcdef', 'OpenAI'],
    ['AIzaSyA0123456789abcdefghijklmnopqrstuv', 'Google Gemini'],
    ['xai-0123456789abcdef', 'xAI'],
    ['{"type": "service_account", "project_id": "p"}', 'Vertex AI'],
    ['AKIAIOSFODNN7EXAMPLE|secret|us-east-1', 'AWS Bedrock Claude'],
    ['0123456789abcdef0123456789abcdef.ABCDEFGHIJKLMNOP', 'Zhipu BigModel'],
  ])('finds the provider of %s', (key, name) => {
    expect(channelTypeOf(recognizeProvider(key)!)?.name).toBe(name)
  })

  it('does not guess for keys that several providers use', () => {
    expect(recognizeProvider('sk-0123456789abcdef0123456789abcdef')).toBeUndefined()
    expect(recognizeProvider('')).toBeUndefined()
  })
})
