import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'vitest'
import {
  amazonFailing,
  anthropicFailing,
  azureFailing,
  detailFailing,
  geminiFailing,
  openaiFailing,
  vertexFailing,
} from './failures.ts'
import { chatFormat, completionFormat, responsesFormat } from './openai-compatible.ts'
import { VECTOR } from './operations.ts'
import { amazonFormat, anthropicFormat, geminiFormat, interactionsFormat } from './other-protocols.ts'
import { verifyAmazon } from './signatures.ts'
import {
  KEY,
  MODEL_LIST,
  nameOfModel,
  openaiOperations,
  type BalanceRow,
  type ChatRow,
  type ProviderRow,
} from './row.ts'
import { VIDEO } from './task-rows.ts'
import { json } from './wire-formats.ts'

const ALWAYS = { whole: true, stream: true }
const CLAUDE = 'claude-3-haiku-20240307'
const AZURE = '/openai/deployments/gpt-4o'
const AZURE_VERSION = 'api-version=2024-12-01-preview'

const azureOperation = (path: string, deployment = 'gpt-4o') => ({
  path: `/openai/deployments/${deployment}/${path}?${AZURE_VERSION}`,
  model: deployment,
})

const openaiChats: readonly ChatRow[] = [
  {
    dialect: 'openai-chat',
    format: chatFormat('requested'),
    path: '/v1/chat/completions',
    model: 'gpt-4o',
    name: nameOfModel('gpt-4o'),
    counts: ALWAYS,
  },
  {
    dialect: 'openai-responses',
    format: responsesFormat,
    path: '/v1/responses',
    model: 'gpt-4o',
    name: nameOfModel('gpt-4o'),
    counts: ALWAYS,
    setting: { openai_api: 'responses' },
  },
  {
    dialect: 'openai-completions',
    format: completionFormat,
    path: '/v1/completions',
    model: 'gpt-3.5-turbo-instruct',
    name: nameOfModel('gpt-3.5-turbo-instruct'),
    counts: ALWAYS,
  },
]

const billing = (root: string): BalanceRow => ({
  steps: [
    {
      path: new RegExp(`^${root}/v1/dashboard/billing/subscription$`),
      reply: { hard_limit_usd: 120, has_payment_method: true },
    },
    {
      path: new RegExp(`^${root}/v1/dashboard/billing/usage\\?start_date=[\\d-]{10}&end_date=[\\d-]{10}$`),
      reply: { total_usage: 2050 },
    },
  ],
  amount: 99.5,
})

const PROJECT = '/v1/projects/a-project/locations/us-east5/publishers'
const TOKEN = 'ya29.traded-for-the-key'
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

/** Providers with their own protocol, keys or URLs. */
export const NATIVE_ROWS: readonly ProviderRow[] = [
  {
    types: [1],
    key: () => KEY,
    chats: openaiChats,
    failing: openaiFailing,
    operations: {
      ...openaiOperations(),
      realtime: { path: '/v1/realtime?model=gpt-4o-realtime', model: 'gpt-4o-realtime' },
    },
    modelList: { path: '/v1/models', ...MODEL_LIST },
    balance: billing('/relay'),
    tasks: { video: VIDEO },
  },
  {
    types: [3],
    key: () => KEY,
    chats: [
      {
        dialect: 'openai-chat',
        format: chatFormat('requested'),
        path: `${AZURE}/chat/completions?${AZURE_VERSION}`,
        model: 'gpt-4o',
        name: nameOfModel('gpt-4o'),
        counts: ALWAYS,
      },
      {
        dialect: 'openai-completions',
        format: completionFormat,
        path: `${AZURE}/completions?${AZURE_VERSION}`,
        model: 'gpt-4o',
        name: nameOfModel('gpt-4o'),
        counts: ALWAYS,
      },
    ],
    failing: azureFailing,
    operations: {
      embeddings: azureOperation('embeddings'),
      'image-generation': azureOperation('images/generations'),
      'image-edit': azureOperation('images/edits'),
      speech: azureOperation('audio/speech'),
      transcription: azureOperation('audio/transcriptions'),
      translation: azureOperation('audio/translations'),
      realtime: { path: `/openai/realtime?${AZURE_VERSION}&deployment=gpt-4o-realtime`, model: 'gpt-4o-realtime' },
    },
  },
  {
    types: [8],
    key: () => KEY,
    address: (url) => `${url}/relay/v9/chat/completions`,
    chats: [
      {
        dialect: 'openai-chat',
        format: chatFormat('requested'),
        path: '/v9/chat/completions',
        model: 'org/model',
        name: nameOfModel('org/model'),
        counts: { whole: true, stream: false },
      },
    ],
    failing: openaiFailing,
    operations: {},
    modelList: { path: '/v9/models', ...MODEL_LIST },
    balance: billing(''),
  },
  {
    types: [14],
    key: () => KEY,
    chats: [
      {
        dialect: 'anthropic-messages',
        format: anthropicFormat,
        path: '/v1/messages',
        model: CLAUDE,
        name: nameOfModel(CLAUDE),
        counts: ALWAYS,
        headers: { 'anthropic-version': '2023-06-01' },
      },
    ],
    failing: anthropicFailing,
    operations: {},
    modelList: { path: '/v1/models?limit=1000', ...MODEL_LIST },
  },
  {
    types: [33],
    key: () => 'AKIDEXAMPLE|wJalrXUtnFEMIK7MDENGbPxRfiCY|us-east-1',
    secrets: (key) => key.split('|').slice(1, 2),
    verify: verifyAmazon,
    chats: [
      {
        dialect: 'anthropic-messages',
        format: amazonFormat,
        path: `/model/us.anthropic.${CLAUDE}-v1%3A0/invoke`,
        streamPath: `/model/us.anthropic.${CLAUDE}-v1%3A0/invoke-with-response-stream`,
        model: CLAUDE,
        name: undefined,
        counts: ALWAYS,
      },
    ],
    failing: amazonFailing,
    operations: {},
  },
  {
    types: [24],
    key: () => KEY,
    chats: [
      {
        dialect: 'gemini-generate',
        format: geminiFormat,
        path: '/v1beta/models/gemini-2.0-flash:generateContent',
        streamPath: '/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse',
        model: 'gemini-2.0-flash',
        name: undefined,
        counts: ALWAYS,
      },
      {
        dialect: 'gemini-interactions',
        format: interactionsFormat,
        path: '/v1beta/interactions',
        model: 'gemini-2.0-flash',
        name: nameOfModel('gemini-2.0-flash'),
        counts: ALWAYS,
      },
    ],
    failing: geminiFailing,
    operations: {
      embeddings: {
        path: '/v1beta/models/text-embedding-004:batchEmbedContents',
        model: 'text-embedding-004',
        namedInPath: true,
        body: { requests: [{ model: 'models/text-embedding-004', content: { parts: [{ text: 'the sea is calm' }] } }] },
        response: () => json({ embeddings: [{ values: VECTOR }] }),
      },
      'image-generation': {
        path: '/v1beta/models/imagen-3.0-generate-002:predict',
        model: 'imagen-3.0-generate-002',
        namedInPath: true,
        body: { instances: [{ prompt: 'a tide gate' }] },
        response: () => json({ predictions: [{ mimeType: 'image/png', bytesBase64Encoded: 'AAAA' }] }),
      },
    },
    modelList: {
      path: '/v1beta/openai/models',
      response: json({ object: 'list', data: [{ id: 'models/m-1' }, { id: 'models/m-2' }] }),
      names: MODEL_LIST.names,
    },
  },
  {
    types: [38],
    key: () => KEY,
    chats: [],
    failing: detailFailing,
    operations: openaiOperations('/v1', ['embeddings', 'rerank']),
    modelList: { path: '/v1/models', ...MODEL_LIST },
  },
  {
    types: [44],
    key: () => KEY,
    chats: [],
    failing: openaiFailing,
    operations: openaiOperations('/v1', ['embeddings']),
  },
  {
    types: [41],
    key: (url) =>
      JSON.stringify({
        type: 'service_account',
        project_id: 'a-project',
        client_email: 'gate@a-project.example',
        private_key: privateKey,
        token_uri: `${url}/token`,
      }),
    secrets: () => [privateKey.split('\n')[3]!],
    verify: ({ headers }) => expect(headers.authorization).toBe(`Bearer ${TOKEN}`),
    exchangeToken: ({ url }) => (url === '/token' ? json({ access_token: TOKEN, expires_in: 3599 }) : undefined),
    other: 'us-east5',
    chats: [
      {
        dialect: 'gemini-generate',
        format: geminiFormat,
        path: `${PROJECT}/google/models/gemini-2.0-flash:generateContent`,
        streamPath: `${PROJECT}/google/models/gemini-2.0-flash:streamGenerateContent?alt=sse`,
        model: 'gemini-2.0-flash',
        name: undefined,
        counts: ALWAYS,
      },
      {
        dialect: 'anthropic-messages',
        format: anthropicFormat,
        path: `${PROJECT}/anthropic/models/${CLAUDE}:rawPredict`,
        streamPath: `${PROJECT}/anthropic/models/${CLAUDE}:streamRawPredict`,
        model: CLAUDE,
        name: undefined,
        counts: ALWAYS,
      },
      {
        dialect: 'openai-chat',
        format: chatFormat('requested'),
        path: '/v1beta1/projects/a-project/locations/us-east5/endpoints/openapi/chat/completions',
        model: 'meta/llama3-405b-instruct-maas',
        name: nameOfModel('meta/llama3-405b-instruct-maas'),
        counts: ALWAYS,
      },
    ],
    failing: vertexFailing,
    operations: {},
  },
]
