import * as api from '@tidegate/contract/api'
import { useMutation } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aSecurity, aUser } from '../../../test/samples.ts'
import { call } from '../../api/client.ts'
import { forgetUser, rememberUser, useSession } from '../../api/session.ts'
import { ProofHost } from './proof-host.tsx'
import { useProofQuestion } from '../../api/reauth-hook.ts'

const PROVE = 'POST /api/user/prove'
const TOKEN = 'GET /api/user/token'
const SECURITY = 'GET /api/user/security'
const unproved = refused('proof_required', '请先确认是你本人')

/** A server that reveals nothing until somebody has proved to be the owner. */
function guardedServer(security = aSecurity(), prove: Parameters<typeof fakeServer>[0][string] = succeeded({})) {
  let proved = false
  const guarded = (data: unknown) => () => (proved ? succeeded(data) : unproved)
  return fakeServer({
    [SECURITY]: succeeded(security),
    [TOKEN]: guarded('a-token'),
    'DELETE /api/user/totp': guarded(undefined),
    [PROVE]: async (request) => {
      const answer = typeof prove === 'function' ? await prove(request) : prove
      proved = typeof answer === 'object' && (answer.json as { success: boolean }).success
      return answer
    },
    'GET /api/user/logout': succeeded(),
  })
}

function AScreen() {
  const reveal = useMutation({ mutationFn: () => call(api.renewAccessToken) })
  return (
    <>
      <button onClick={() => reveal.mutate()}>reveal</button>
      <output>{reveal.data ?? (reveal.error ? 'nothing' : '')}</output>
      <ProofHost />
    </>
  )
}

const open = () => renderScreen(AScreen, { at: '/app/me?tab=security' })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const shown = () => screen.getByRole('status').textContent
const calls = (server: ReturnType<typeof fakeServer>, path: string) =>
  server.seen.filter((request) => request.path === path).length
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

beforeEach(() => {
  useProofQuestion.getState().question?.answer(false)
  rememberUser(aUser())
})

describe('a call that needs proof', () => {
  it('is made again after the password was given, as if nothing had been', async () => {
    const server = guardedServer()
    open()
    press('reveal')
    await screen.findByRole('dialog', { name: '确认身份' })

    await screen.findByLabelText('密码')
    type('密码', 'high-tide-77')
    press('确认')

    await waitFor(() => expect(shown()).toBe('a-token'))
    expect(server.seen.find(({ path }) => path === '/api/user/prove')?.body).toEqual({ password: 'high-tide-77' })
    expect(calls(server, '/api/user/token')).toBe(2)
    expect(useProofQuestion.getState().question).toBeNull()
  })

  it('shares the question with another one', async () => {
    const server = guardedServer()
    open()
    const both = Promise.all([call(api.renewAccessToken), call(api.disableTotp)])

    expect(await screen.findAllByRole('dialog')).toHaveLength(1)
    await screen.findByLabelText('密码')
    type('密码', 'high-tide-77')
    press('确认')

    await expect(both).resolves.toEqual(['a-token', undefined])
    expect(calls(server, '/api/user/prove')).toBe(1)
  })

  it('does not ask when the proof was given while it was on its way', async () => {
    let answer: (() => void) | undefined
    let isLate = true
    const server = fakeServer({
      [SECURITY]: succeeded(aSecurity()),
      [PROVE]: succeeded({}),
      [TOKEN]: () => {
        if (!isLate) return succeeded('a-token')
        isLate = false
        return new Promise((resolve) => {
          answer = () => resolve(unproved)
        })
      },
      'DELETE /api/user/totp': () => (calls(server, '/api/user/prove') > 0 ? succeeded() : unproved),
    })
    open()
    const late = call(api.renewAccessToken)
    const first = call(api.disableTotp)
    await screen.findByLabelText('密码')
    type('密码', 'high-tide-77')
    press('确认')
    await first

    answer!()

    await expect(late).resolves.toBe('a-token')
    expect(calls(server, '/api/user/prove')).toBe(1)
  })

  it('fails without a word when the person would rather not', async () => {
    const server = guardedServer()
    open()
    press('reveal')
    fireEvent.keyDown(await screen.findByRole('dialog'), { key: 'Escape' })

    await waitFor(() => expect(shown()).toBe('nothing'))
    expect(calls(server, '/api/user/token')).toBe(1)
    expect(document.querySelector('.ant-message-error')).toBeNull()
  })

  it('is not made a third time', async () => {
    const server = fakeServer({ [SECURITY]: succeeded(aSecurity()), [PROVE]: succeeded({}), [TOKEN]: unproved })
    open()
    press('reveal')
    await screen.findByLabelText('密码')
    type('密码', 'high-tide-77')
    press('确认')

    await waitFor(() => expect(shown()).toBe('nothing'))
    expect(calls(server, '/api/user/token')).toBe(2)
  })

  it('asks nobody once the session is over', async () => {
    guardedServer()
    open()
    press('reveal')
    await screen.findByRole('dialog')

    forgetUser('expired')

    await waitFor(() => expect(shown()).toBe('nothing'))
  })
})

describe('the question', () => {
  it('says beside the field that the password is wrong, and can be answered again', async () => {
    let tries = 0
    guardedServer(aSecurity(), () => {
      tries += 1
      return tries === 1 ? refused('original_password_wrong', '原密码错误') : succeeded({})
    })
    open()
    press('reveal')
    await screen.findByLabelText('密码')
    press('确认')
    expect((await screen.findByRole('alert')).textContent).toBe('请输入密码')

    type('密码', 'wrong')
    press('确认')
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('原密码错误'))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('密码')))
    type('密码', 'high-tide-77')
    press('确认')

    await waitFor(() => expect(shown()).toBe('a-token'))
  })

  it('takes a code of the app as soon as it is whole', async () => {
    const server = guardedServer(
      aSecurity({
        totp: { enabled_at: '2026-01-02T03:04:05.000Z', recovery_codes_left: 10 },
        reauth_methods: ['code'],
      }),
    )
    open()
    press('reveal')
    await screen.findByLabelText('动态验证码')

    type('动态验证码', '123 456')

    await waitFor(() => expect(shown()).toBe('a-token'))
    expect(server.seen.find(({ path }) => path === '/api/user/prove')?.body).toEqual({ code: '123456' })
  })

  it('offers each way that the server accepts, and not the password of an account with a stronger one', async () => {
    vi.stubGlobal('PublicKeyCredential', () => {})
    guardedServer(aSecurity({ reauth_methods: ['code', 'passkey'] }))
    open()
    press('reveal')

    await screen.findByRole('radio', { name: '动态验证码' })
    expect(screen.getAllByRole('radio').map((way) => way.closest('label')?.textContent)).toEqual([
      '动态验证码',
      '通行密钥',
    ])
    fireEvent.click(screen.getByRole('radio', { name: '通行密钥' }))
    expect(await screen.findByRole('button', { name: '使用通行密钥' })).toBeTruthy()
  })

  it('sends an account that only other services know to the login screen, and back', async () => {
    guardedServer(aSecurity({ has_password: false, reauth_methods: [] }))
    const { address } = open()
    press('reveal')

    fireEvent.click(await screen.findByRole('button', { name: '重新登录' }))

    await waitFor(() => expect(address()).toBe('/login?returnTo=%2Fapp%2Fme%3Ftab%3Dsecurity'))
    await waitFor(() => expect(useSession.getState().user).toBeNull())
  })

  it('can be tried again when the server did not respond', async () => {
    let tries = 0
    fakeServer({
      [SECURITY]: () => {
        tries += 1
        return tries === 1 ? refused('internal_error', '', 500) : succeeded(aSecurity())
      },
      [TOKEN]: unproved,
    })
    open()
    press('reveal')

    fireEvent.click(await screen.findByRole('button', { name: '重试' }))

    expect(await screen.findByLabelText('密码')).toBeTruthy()
  })
})
