import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DialectError } from '../../canonical/errors.ts'
import { writeEnvelope } from '../../google-wire/signature-envelope.ts'
import { passThroughChanges } from './patch-request.ts'
import { promptParts, readRequest } from './read-request.ts'

const readRecording = (name: string) => readFileSync(new URL(`../__fixtures__/${name}.json`, import.meta.url), 'utf8')
const path = { model: 'gemini-2.5-flash', stream: true }
const read = (body: object) => readRequest(JSON.stringify({ contents: [{ parts: [{ text: 'hi' }] }], ...body }), path)

describe('readRequest', () => {
  it('takes the model and the stream flag from the URL', () => {
    expect(readRequest(readRecording('request-of-a-tool-loop'), path)).toMatchObject({
      dialect: 'gemini-generate',
      model: 'gemini-2.5-flash',
      stream: true,
      includeUsage: true,
      maxTokens: 2000,
    })
    expect(readRequest(readRecording('request-in-snake-case'), { model: 'm' })).toMatchObject({
      stream: false,
      maxTokens: 50,
    })
  })

  const rejected: [string, string, object, DialectError['code']][] = [
    ['text that is not JSON', '{"contents":', path, 'invalid_json'],
    ['a list', '[]', path, 'invalid_request'],
    ['a URL without a model', '{"contents":[{}]}', {}, 'model_required'],
    ['a request without contents', '{}', path, 'invalid_request'],
    ['empty contents', '{"contents":[]}', path, 'invalid_request'],
    ['contents that are a string', '{"contents":"hi"}', path, 'invalid_request'],
    [
      'a limit that is too large',
      '{"contents":[{}],"generationConfig":{"maxOutputTokens":1073741824}}',
      path,
      'invalid_request',
    ],
  ]
  it.each(rejected)('rejects %s', (_name, text, address, code) => {
    expect(() => readRequest(text, address)).toThrow(expect.objectContaining({ code }))
  })
})

describe('promptParts', () => {
  it('collects every text of the prompt and estimates the rest', () => {
    const { texts, otherTokens } = promptParts(readRequest(readRecording('request-of-a-tool-loop'), path))

    expect(texts).toEqual([
      'Be brief.',
      'Be kind.',
      'When is the tide at Brest and Ōsaka?',
      'Two calls.',
      'tide',
      '{"at":"Brest"}',
      'tide',
      '{"at":"Ōsaka"}',
      'tide',
      '{"result":"06:00"}',
      'tide',
      '{"hour":7,"minute":30}',
      'Six, and half past seven.',
      'And tomorrow?',
      'tide',
      'When the tide is high',
      expect.stringContaining('"A place"'),
      expect.stringContaining('"time"'),
    ])
    expect(otherTokens).toBe(3 + 5 * 4 + 2 * 255 + 5000 + 8)
  })

  it('accepts snake case', () => {
    const { texts, otherTokens } = promptParts(readRequest(readRecording('request-in-snake-case'), path))

    expect(texts).toEqual(expect.arrayContaining(['Be brief.', 'Look', '{"at":"Brest"}', '{"error":"no such place"}']))
    expect(otherTokens).toBe(3 + 3 * 4 + 255 + 100 + 8)
  })

  it('ignores malformed values', () => {
    const odd = read({
      contents: [null, 'text', { parts: { text: 'one' } }, { parts: [null, 3, 'two'] }],
      tools: [null, {}],
    })

    expect(promptParts(odd).texts).toEqual(['text', 'one', 'two'])
  })
})

describe('passThroughChanges', () => {
  const overrides = { model: 'gemini-2.5-flash', stream: true, usage: 'keep' } as const

  it('changes nothing if nothing differs', () => {
    expect(passThroughChanges(readRequest(readRecording('request-of-a-tool-loop'), path), overrides)).toEqual({})
  })

  it('puts the system prompt of a channel before that of the client, in its spelling', () => {
    const prompt = { ...overrides, systemPrompt: 'Obey.' }

    expect(passThroughChanges(read({}), prompt)).toEqual({ systemInstruction: { parts: [{ text: 'Obey.' }] } })
    expect(
      passThroughChanges(read({ systemInstruction: { role: 'user', parts: [{ text: 'Be kind.' }] } }), prompt),
    ).toEqual({
      systemInstruction: { role: 'user', parts: [{ text: 'Obey.' }, { text: 'Be kind.' }] },
    })
    expect(passThroughChanges(read({ system_instruction: 'Be kind.' }), prompt)).toEqual({
      system_instruction: { parts: [{ text: 'Obey.' }, { text: 'Be kind.' }] },
    })
  })

  it('removes signatures of other providers, which Google would reject', () => {
    const thought = { type: 'thinking', text: 'hm', signature: { dialect: 'anthropic-messages', value: 's' } } as const
    const thoughtSignature = writeEnvelope({ thoughts: [thought] }, 'gemini-generate')
    const contents = [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature }] },
      {
        role: 'model',
        parts: [
          { text: 'hi', thoughtSignature },
          { text: 'signed', thoughtSignature: 'R09PRw==' },
        ],
      },
      { role: 'model', parts: [{ text: '', thoughtSignature }] },
    ]
    const promptTexts = { role: 'model', parts: [{ text: 'hi' }, { text: 'signed', thoughtSignature: 'R09PRw==' }] }

    expect(passThroughChanges(read({ contents }), overrides)).toEqual({
      contents: [contents[0], { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] }, promptTexts],
    })
    expect(passThroughChanges(read({ contents }), { ...overrides, model: 'gemini-3-pro-preview' })).toEqual({
      contents: [
        contents[0],
        {
          role: 'model',
          parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'skip_thought_signature_validator' }],
        },
        promptTexts,
      ],
    })
  })
})
