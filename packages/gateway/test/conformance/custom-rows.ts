import { expect } from 'vitest'
import { geminiFailing, type Failing } from './failures.ts'
import {
  baiduError,
  baiduFormat,
  difyFormat,
  hunyuanError,
  hunyuanFormat,
  palmFormat,
  sparkError,
  sparkFormat,
} from './custom-protocols.ts'
import { VECTOR } from './operations.ts'
import { verifySpark, verifyTencent } from './signatures.ts'
import { KEY, type ChatRow, type ProviderRow } from './row.ts'
import { json } from './wire-formats.ts'

const ALWAYS = { whole: true, stream: true }
const WORKSHOP = '/rpc/2.0/ai_custom/v1/wenxinworkshop'
const TOKEN = '24.traded-for-the-key'

const chat = (row: Omit<ChatRow, 'dialect'>): ChatRow => ({ dialect: 'openai-chat', ...row })

const difyFailing: Failing = {
  key: json({ code: 'unauthorized', message: 'Access token is invalid', status: 401 }, 401),
  rate: json({ code: 'too_many_requests', message: 'Too many requests.', status: 429 }, 429, { 'retry-after': '30' }),
  request: json({ code: 'invalid_param', message: 'query is required', status: 400 }, 400),
  server: json({ code: 'internal_server_error', message: 'Internal error.', status: 500 }, 500),
}

/** Providers with a custom protocol. */
export const CUSTOM_ROWS: readonly ProviderRow[] = [
  {
    types: [11],
    key: () => KEY,
    chats: [
      chat({
        format: palmFormat,
        path: '/v1beta2/models/chat-bison-001:generateMessage',
        model: 'chat-bison-001',
        name: undefined,
        neverStreams: true,
        counts: { whole: false, stream: false },
      }),
    ],
    failing: geminiFailing,
    operations: {},
  },
  {
    types: [15],
    key: () => 'an-api-key-0123|a-secret-key-4567',
    secrets: (key) => key.split('|'),
    verify: ({ url }) => expect(new URL(url, 'http://provider').searchParams.get('access_token')).toBe(TOKEN),
    exchangeToken: ({ url }) =>
      url.startsWith('/oauth/2.0/token?') ? json({ access_token: TOKEN, expires_in: 2592000 }) : undefined,
    chats: [
      chat({
        format: baiduFormat,
        path: `${WORKSHOP}/chat/completions_pro?access_token=${TOKEN}`,
        model: 'ERNIE-4.0-8K',
        name: undefined,
        counts: ALWAYS,
      }),
    ],
    failing: {
      key: baiduError(110, 'Access token invalid or no longer valid'),
      rate: baiduError(18, 'Open api qps request limit reached'),
      request: baiduError(336003, 'messages: at least one message is required'),
      server: baiduError(336000, 'Internal error'),
      credit: baiduError(17, 'Open api daily request limit reached'),
    },
    operations: {
      embeddings: {
        path: `${WORKSHOP}/embeddings/bge_large_zh?access_token=${TOKEN}`,
        model: 'bge-large-zh',
        namedInPath: true,
        body: { input: ['the sea is calm'] },
        response: () =>
          json({
            id: 'as-1',
            object: 'embedding_list',
            data: [{ object: 'embedding', embedding: VECTOR, index: 0 }],
            usage: { prompt_tokens: 5, total_tokens: 5 },
          }),
      },
    },
  },
  {
    types: [18],
    key: () => 'an-app-01|a-secret-2345|a-key-6789',
    secrets: (key) => key.split('|').slice(1, 2),
    verify: verifySpark,
    chats: [
      chat({
        format: sparkFormat,
        path: '/v3.5/chat',
        model: 'SparkDesk-v3.5',
        name: { find: ({ parameter }) => (parameter as { chat: { domain: string } }).chat.domain, as: 'generalv3.5' },
        overSocket: true,
        counts: ALWAYS,
      }),
    ],
    failing: {
      key: sparkError(11200, 'auth error: the app has no licence'),
      rate: sparkError(11202, 'licc limit: too many requests in a second'),
      request: sparkError(10005, 'schema validation failed'),
      server: sparkError(10012, 'engine internal error'),
      credit: sparkError(11201, 'licc limit: no more calls today'),
    },
    operations: {},
  },
  {
    types: [23],
    key: () => '1250000000|AKIDexample0123|a-secret-4567',
    secrets: (key) => key.split('|').slice(2),
    verify: verifyTencent,
    // The signature covers the root of a host only: a path in the base URL is dropped.
    prefix: '',
    chats: [
      chat({
        format: hunyuanFormat,
        path: '/',
        model: 'hunyuan-lite',
        name: { find: ({ Model }) => Model, as: 'hunyuan-lite' },
        counts: ALWAYS,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'x-tc-action': 'ChatCompletions',
          'x-tc-version': '2023-09-01',
        },
      }),
    ],
    failing: {
      key: hunyuanError('AuthFailure.SecretIdNotFound', 'The SecretId is not found.'),
      rate: hunyuanError('RequestLimitExceeded', 'too many requests'),
      request: hunyuanError('InvalidParameterValue', 'Messages is empty'),
      server: hunyuanError('InternalError', 'internal error'),
      credit: hunyuanError('FailedOperation.ResourcePackExhausted', 'the package is used up'),
    },
    operations: {},
  },
  {
    types: [37],
    key: () => 'app-provider-0123456789',
    chats: [chat({ format: difyFormat, path: '/v1/chat-messages', model: 'an-app', name: undefined, counts: ALWAYS })],
    failing: difyFailing,
    operations: {},
  },
]
