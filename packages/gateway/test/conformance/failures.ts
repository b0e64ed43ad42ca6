import { json, type Reply } from './wire-formats.ts'

/** The errors of a provider: a bad key, a rate limit, an invalid request, a server error, and an empty account. */
export interface Failing {
  readonly key: Reply
  readonly rate: Reply
  readonly request: Reply
  readonly server: Reply
  readonly credit?: Reply
}

const LATER = { 'retry-after': '30' }

export const openaiFailing: Failing = {
  key: json(
    { error: { message: 'Incorrect API key provided.', type: 'invalid_request_error', code: 'invalid_api_key' } },
    401,
  ),
  rate: json({ error: { message: 'Rate limit reached.', type: 'requests', code: 'rate_limit_exceeded' } }, 429, LATER),
  request: json({ error: { message: 'Bad messages.', type: 'invalid_request_error', param: 'messages' } }, 400),
  server: json({ error: { message: 'The server had an error.', type: 'server_error' } }, 500),
  credit: json({ error: { message: 'Quota exceeded.', type: 'insufficient_quota', code: 'insufficient_quota' } }, 429),
}

/** Resellers that are only known to respond as OpenAI does. */
export const resellerFailing: Failing = openaiFailing

export const azureFailing: Failing = {
  key: json({ error: { code: '401', message: 'Access denied due to invalid subscription key.' } }, 401),
  rate: json({ error: { code: '429', message: 'Requests have exceeded the call rate limit.' } }, 429, LATER),
  request: json({ error: { code: 'BadRequest', message: 'Invalid messages.' } }, 400),
  server: json({ error: { code: 'InternalServerError', message: 'Backend returned an error.' } }, 500),
}

export const anthropicFailing: Failing = {
  key: anthropicError('authentication_error', 'invalid x-api-key', 401),
  rate: anthropicError('rate_limit_error', 'Number of requests exceeded.', 429),
  request: anthropicError('invalid_request_error', 'messages: at least one message is required', 400),
  server: anthropicError('api_error', 'Internal server error', 500),
  credit: anthropicError('invalid_request_error', 'Your credit balance is too low to access the API.', 400),
}

function anthropicError(type: string, message: string, status: number): Reply {
  return json({ type: 'error', error: { type, message } }, status, status === 429 ? LATER : {})
}

/** Amazon names an error in a header, and returns 403 for an unknown key. */
export const amazonFailing: Failing = {
  key: amazonError('UnrecognizedClientException', 'The security token included in the request is invalid.', 403),
  rate: amazonError('ThrottlingException', 'Too many requests, please wait before trying again.', 429),
  request: amazonError('ValidationException', 'messages: field required', 400),
  server: amazonError('InternalServerException', 'The system encountered an unexpected error.', 500),
}

function amazonError(name: string, message: string, status: number): Reply {
  return json({ message }, status, { 'x-amzn-errortype': name, ...(status === 429 && LATER) })
}

/** Google returns 400 for an unknown key; the message contains the reason. */
export const geminiFailing: Failing = {
  key: googleError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'),
  rate: googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for requests per minute.'),
  request: googleError(400, 'INVALID_ARGUMENT', 'contents is not specified'),
  server: googleError(500, 'INTERNAL', 'An internal error has occurred.'),
}

export const vertexFailing: Failing = {
  ...geminiFailing,
  key: googleError(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
}

function googleError(code: number, status: string, message: string): Reply {
  return json({ error: { code, message, status } }, code, code === 429 ? LATER : {})
}

/** A message without an envelope. */
export const plainFailing: Failing = {
  key: json({ message: 'Unauthorized', request_id: 'r1' }, 401),
  rate: json({ message: 'Requests rate limit exceeded' }, 429, LATER),
  request: json({ object: 'error', message: 'Invalid model', type: 'invalid_model', code: '1500' }, 400),
  server: json({ object: 'error', message: 'Service unavailable.', type: 'internal_server_error' }, 500),
}

export const zhipuFailing: Failing = {
  key: json({ error: { code: '1002', message: 'Authorization Token 非法' } }, 401),
  rate: json({ error: { code: '1302', message: '您当前使用该 API 的并发数过高' } }, 429, LATER),
  request: json({ error: { code: '1214', message: 'messages 参数非法' } }, 400),
  server: json({ error: { code: '500', message: '内部错误' } }, 500),
  credit: json({ error: { code: '1113', message: '您的账户已欠费，请充值后重试' } }, 429),
}

export const moonshotFailing: Failing = {
  key: json({ error: { message: 'Invalid Authentication', type: 'invalid_authentication_error' } }, 401),
  rate: json({ error: { message: 'max RPM: 3', type: 'rate_limit_reached_error' } }, 429, LATER),
  request: json({ error: { message: 'Invalid request', type: 'invalid_request_error' } }, 400),
  server: json({ error: { message: 'server error', type: 'server_error' } }, 500),
  credit: json({ error: { message: 'account suspended', type: 'exceeded_current_quota_error' } }, 429),
}

export const dashscopeFailing: Failing = {
  ...openaiFailing,
  rate: json({ error: { message: 'Requests throttled.', code: 'Throttling.RateQuota' } }, 429, LATER),
  credit: json({ error: { message: 'Access denied.', type: 'Arrearage', code: 'Arrearage' } }, 400),
}

/** MiniMax returns every error with status 200 and a code. */
export const minimaxFailing: Failing = {
  key: minimaxError(1004, 'login fail: Please carry the API secret key'),
  rate: minimaxError(1002, 'rate limit'),
  request: minimaxError(2013, 'invalid params'),
  server: minimaxError(1000, 'unknown error'),
  credit: minimaxError(1008, 'insufficient balance'),
}

function minimaxError(status_code: number, status_msg: string): Reply {
  return json({ id: 'r1', choices: null, created: 0, model: '', base_resp: { status_code, status_msg } }, 200)
}

export const cloudflareFailing: Failing = {
  key: cloudflareError(10000, 'Authentication error', 401),
  rate: cloudflareError(3040, 'Capacity temporarily exceeded, please try again.', 429),
  request: cloudflareError(8001, 'Invalid input', 400),
  server: cloudflareError(3026, 'Internal server error', 500),
}

function cloudflareError(code: number, message: string, status: number): Reply {
  const body = { errors: [{ code, message }], success: false, result: {}, messages: [] }
  return json(body, status, status === 429 ? LATER : {})
}

/** A `detail` field, as in many Python services. */
export const detailFailing: Failing = {
  key: json({ detail: 'The api_key is invalid or expired' }, 401),
  rate: json({ detail: 'Rate limit exceeded' }, 429, LATER),
  request: json({ detail: 'Model not found' }, 400),
  server: json({ detail: 'Internal error' }, 500),
}

export const siliconflowFailing: Failing = {
  key: { status: 401, headers: { 'content-type': 'application/json' }, body: '"Invalid token"' },
  rate: json({ message: 'Request was rejected due to rate limiting.', data: null }, 429, LATER),
  request: json({ code: 20012, message: 'Model does not exist.', data: null }, 400),
  server: json({ code: 50501, message: 'System error', data: null }, 500),
  credit: json({ code: 30001, message: 'Sorry, your account balance is insufficient', data: null }, 403),
}

export const xaiFailing: Failing = {
  key: json({ code: 'unauthenticated:bad-credentials', error: 'The API key is not valid.' }, 401),
  rate: json({ code: 'resource-exhausted', error: 'Too many requests.' }, 429, LATER),
  request: json({ code: 'invalid-argument', error: 'Invalid messages.' }, 400),
  server: json({ code: 'internal', error: 'Service error.' }, 500),
}

export const githubFailing: Failing = {
  key: json({ error: { code: 'unauthorized', message: 'Bad credentials' } }, 401),
  rate: json({ error: { code: 'RateLimitReached', message: 'Rate limit of 15 per 60s exceeded.' } }, 429, LATER),
  request: json({ error: { code: 'unknown_model', message: 'Unknown model', details: 'Unknown model' } }, 400),
  server: json({ error: { code: 'internal_error', message: 'Something went wrong.' } }, 500),
}

export const qianfanFailing: Failing = {
  key: json(
    { error: { code: 'invalid_iam_token', message: 'IAM Certification failed', type: 'invalid_request_error' } },
    401,
  ),
  rate: json(
    { error: { code: 'rpm_rate_limit_exceeded', message: 'Rate limit reached', type: 'rate_limit_error' } },
    429,
    LATER,
  ),
  request: json({ error: { code: 'invalid_messages', message: 'messages', type: 'invalid_request_error' } }, 400),
  server: json({ error: { code: 'internal_error', message: 'Internal error', type: 'api_error' } }, 500),
}

export const volcanoFailing: Failing = {
  key: json({ error: { code: 'AuthenticationError', message: 'The API key is missing.', type: 'Unauthorized' } }, 401),
  rate: json(
    { error: { code: 'RateLimitExceeded.EndpointRPMExceeded', message: 'RPM', type: 'TooManyRequests' } },
    429,
    LATER,
  ),
  request: json({ error: { code: 'InvalidParameter', message: 'messages', type: 'BadRequest' } }, 400),
  server: json({ error: { code: 'InternalServiceError', message: 'unexpected', type: 'InternalServerError' } }, 500),
  credit: json({ error: { code: 'AccountOverdueError', message: 'overdue balance', type: 'Forbidden' } }, 403),
}

export const deepseekFailing: Failing = {
  key: json(
    { error: { message: 'Authentication Fails', type: 'authentication_error', code: 'invalid_request_error' } },
    401,
  ),
  rate: json({ error: { message: 'Rate Limit Reached', type: 'rate_limit_error' } }, 429, LATER),
  request: json({ error: { message: 'Invalid Format', type: 'invalid_request_error' } }, 400),
  server: json({ error: { message: 'Server Error', type: 'server_error' } }, 500),
  credit: json(
    { error: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' } },
    402,
  ),
}

export const openrouterFailing: Failing = {
  key: json({ error: { code: 401, message: 'No auth credentials found' } }, 401),
  rate: json({ error: { code: 429, message: 'Rate limited' } }, 429, LATER),
  request: json({ error: { code: 400, message: 'not a valid model ID' } }, 400),
  server: json({ error: { code: 500, message: 'Internal Server Error' } }, 500),
  credit: json({ error: { code: 402, message: 'Insufficient credits' } }, 402),
}

export const fastgptFailing: Failing = {
  key: json({ code: 514, statusText: 'unAuthApiKey', message: 'Key is invalid', data: null }, 500),
  rate: json({ code: 429, statusText: '', message: 'Too many requests', data: null }, 429, LATER),
  request: json({ code: 400, statusText: '', message: 'messages is empty', data: null }, 400),
  server: json({ code: 500, statusText: 'error', message: 'app unExist', data: null }, 500),
}
