import * as api from '@tidegate/contract/api'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused, succeeded } from '../../test/fake-server.ts'
import { startTestLanguage } from '../../test/language.ts'
import { aUser } from '../../test/samples.ts'
import { ApiError } from './errors.ts'
import { call, callCounted, callForFinding, callForText } from './client.ts'
import { rememberUser, useSession, whenSecondFactorRequired, whenSessionExpires } from './session.ts'
import { stored } from '../lib/stored.ts'

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error('The call succeeded.')),
    (error: unknown) => error as ApiError,
  )

describe('call', () => {
  it('returns the data of the envelope', async () => {
    fakeServer({ 'GET /api/group': succeeded(['default', 'vip']) })

    expect(await call(api.listGroups)).toEqual(['default', 'vip'])
  })

  it('sends the user ID, the language and the no-store directive', async () => {
    const server = fakeServer({ 'GET /api/group': succeeded([]) })
    rememberUser(aUser({ id: 42 }))
    await startTestLanguage('en')

    await call(api.listGroups)

    const { headers } = server.seen[0]!
    expect(headers.get('tidegate-user')).toBe('42')
    expect(headers.get('accept-language')).toBe('en')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('sends user ID -1 without a session', async () => {
    const server = fakeServer({ 'GET /api/status': succeeded({}) })

    await call(api.getStatus)

    expect(server.seen[0]!.headers.get('tidegate-user')).toBe('-1')
  })

  it('fills path parameters and omits empty query values', async () => {
    const server = fakeServer({ 'DELETE /api/token/9': succeeded(), 'GET /api/log/self': succeeded({}) })

    await call(api.deleteToken, { params: { id: 9 } })
    await call(api.listOwnLogs, { query: { p: 2, model_name: 'gpt 4', token_name: '', type: undefined } })

    expect(server.seen[0]!.method).toBe('DELETE')
    expect(server.seen[1]!.query).toEqual({ p: '2', model_name: 'gpt 4' })
  })

  it('sends the body as JSON', async () => {
    const server = fakeServer({ 'POST /api/token': succeeded() })

    await call(api.createToken, { body: { name: 'laptop' } })

    expect(server.seen[0]!.body).toEqual({ name: 'laptop' })
    expect(server.seen[0]!.headers.get('content-type')).toBe('application/json')
  })
})

describe('callCounted', () => {
  it('returns the total from the header, or undefined if it is missing or invalid', async () => {
    fakeServer({
      'GET /api/channel': { headers: { 'x-total-count': '2000' }, json: { success: true, message: '', data: [] } },
      'GET /api/group': { headers: { 'x-total-count': 'many' }, json: { success: true, message: '', data: ['a'] } },
    })

    expect(await callCounted(api.listChannels)).toEqual({ data: [], total: 2000 })
    expect(await callCounted(api.listGroups)).toEqual({ data: ['a'], total: undefined })
  })
})

describe('callForFinding', () => {
  it('returns a negative result instead of throwing', async () => {
    const no = { success: false, message: 'key refused', time: 1.5, model: 'gpt-4o' }
    fakeServer({ 'GET /api/channel/test/3': { json: no } })

    expect(await callForFinding(api.testChannel, { params: { id: 3 } })).toEqual(no)
  })

  it('throws if the response is not an envelope', async () => {
    fakeServer({ 'GET /api/channel/test/3': { status: 502, text: '<html></html>' } })

    expect(await failure(callForFinding(api.testChannel, { params: { id: 3 } }))).toMatchObject({ status: 502 })
  })
})

describe('a failed call', () => {
  beforeEach(() => whenSessionExpires(() => {}))

  it('throws an error with the code and message of the server', async () => {
    fakeServer({ 'POST /api/user/login': refused('login_failed', '用户名或密码错误') })

    const error = await failure(call(api.login, { body: {} }))

    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 200, code: 'login_failed', message: '用户名或密码错误' })
  })

  it('calls the listener if the site requires a second factor', async () => {
    const required = vi.fn<() => void>()
    whenSecondFactorRequired(required)
    fakeServer({ 'GET /api/group': refused('admin_second_factor_required', '请先启用两步验证', 403) })

    expect(await failure(call(api.listGroups))).toMatchObject({ code: 'admin_second_factor_required' })
    expect(required).toHaveBeenCalledOnce()
  })

  it('throws an error with the data of the server', async () => {
    const data = { ticket: 't', methods: ['totp'] }
    fakeServer({ 'POST /api/user/login': refused('second_factor_required', '请完成两步验证', 200, data) })

    expect(await failure(call(api.login, { body: {} }))).toMatchObject({ code: 'second_factor_required', data })
  })

  it('throws an error with the request ID', async () => {
    fakeServer({ 'GET /api/group': { status: 500, headers: { 'x-request-id': 'req-1' }, json: { success: false } } })

    const error = await failure(call(api.listGroups))

    expect(error).toMatchObject({ status: 500, requestId: 'req-1', message: '服务器内部错误，请联系管理员！' })
  })

  it.each([
    [429, '请求次数过多，请稍后再试！'],
    [500, '服务器内部错误，请联系管理员！'],
    [405, '本站仅作演示之用，无服务端！'],
    [502, '错误：HTTP 502'],
  ])('explains HTTP %i in words, also when a proxy answered with a page', async (status, sentence) => {
    fakeServer({ 'GET /api/group': { status, text: '<html>sorry</html>' } })

    expect(await failure(call(api.listGroups))).toMatchObject({ status, code: 'unknown', message: sentence })
  })

  it('uses the message of the server even if the status is not 200', async () => {
    fakeServer({
      'POST /api/channel/fetch_models': refused('fetch_models_upstream_failed', '获取模型列表失败：上游响应超时', 500),
      'GET /api/group': refused('internal_error', 'oops', 500),
    })

    expect(await failure(call(api.fetchUpstreamModels, { body: {} }))).toMatchObject({
      message: '获取模型列表失败：上游响应超时',
    })
    expect(await failure(call(api.listGroups))).toMatchObject({ message: '服务器内部错误，请联系管理员！' })
  })

  it('prefers the sentence of the server when it says how long to wait', async () => {
    fakeServer({ 'POST /api/user/login': refused('login_delayed', '请 8 秒后再试', 429) })

    expect(await failure(call(api.login, { body: {} }))).toMatchObject({ message: '请 8 秒后再试' })
  })

  it('reports that there is no response at all', async () => {
    fakeServer({ 'GET /api/group': 'no-answer' })

    expect(await failure(call(api.listGroups))).toMatchObject({
      status: 0,
      code: 'network',
      message: '无法连接到服务器',
    })
  })

  it('rejects an HTML page with status 200', async () => {
    fakeServer({ 'GET /api/group': { text: '<html></html>' } })

    expect(await failure(call(api.listGroups))).toMatchObject({ code: 'unknown' })
  })

  it('forgets the user and informs the application when the session is rejected', async () => {
    fakeServer({ 'GET /api/group': refused('not_logged_in', '未登录', 401) })
    rememberUser(aUser())
    const expired = vi.fn()
    whenSessionExpires(expired)

    const error = await failure(call(api.listGroups))

    expect(error.status).toBe(401)
    expect(stored.user.get()).toBeNull()
    expect(useSession.getState()).toEqual({ user: null, ended: 'expired' })
    expect(expired).toHaveBeenCalledOnce()
  })

  it('keeps the session if another account is banned from signing in', async () => {
    fakeServer({ 'GET /api/oauth/github': refused('user_banned', '用户已被封禁', 401) })
    rememberUser(aUser())
    const expired = vi.fn()
    whenSessionExpires(expired)

    const error = await failure(call(api.finishGitHub))

    expect(error).toMatchObject({ code: 'user_banned', message: '用户已被封禁' })
    expect(stored.user.get()).not.toBeNull()
    expect(expired).not.toHaveBeenCalled()
  })
})

describe('callForText', () => {
  it('returns the response body', async () => {
    fakeServer({ 'GET /api/user/statement/export': { text: 'time,kind\r\n' } })

    expect(await callForText(api.exportOwnStatement)).toBe('time,kind\r\n')
  })

  it('throws an error and clears an expired session', async () => {
    fakeServer({ 'GET /api/user/statement/export': refused('session_expired', '未登录', 401) })
    rememberUser(aUser())

    expect(await failure(callForText(api.exportOwnStatement))).toMatchObject({ status: 401 })
    expect(useSession.getState()).toMatchObject({ user: null, ended: 'expired' })
  })
})
