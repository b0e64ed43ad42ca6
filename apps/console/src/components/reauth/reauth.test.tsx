import * as api from '@tidegate/contract/api'
import { useMutation } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aSecurity, aUser } from '../../../test/samples.ts'
import { call } from '../../api/client.ts'
import { forgetUser, rememberUser, useSession } from '../../api/session.ts'
import { ReauthHost } from './reauth-host.tsx'
import { useProofQuestion } from '../../api/reauth-hook.ts'

const PROVE = 'POST /api/user/prove'
const TOKEN = 'GET /api/user/token'
const SECURITY = 'GET /api/user/security'
const reauthRequired = refused('proof_required', '请先确认是你本人')

/** A server that requires re-authentication. */
function guardedServer(security = aSecurity(), prove: Parameters<typeof fakeServer>[0][string] = succeeded({})) {
  let proved = false
  const guarded = (data: unknown) => () => (proved ? succeeded(data) : reauthRequired)
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
      <ReauthHost />
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

describe('a request that needs re-authentication', () => {
  it('is sent again after the password was entered', async () => {
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

  it('shares the dialog with another request', async () => {
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

  it('does not open the dialog if the user re-authenticated in the meantime', async () => {
    let answer: (() => void) | undefined
    let isLate = true
    const server = fakeServer({
      [SECURITY]: succeeded(aSecurity()),
      [PROVE]: succeeded({}),
      [TOKEN]: () => {
        if (!isLate) return succeeded('a-token')
        isLate = false
        return new Promise((resolve) => {
          answer = () => resolve(reauthRequired)
        })
      },
      'DELETE /api/user/totp': () => (calls(server, '/api/user/prove') > 0 ? succeeded() : reauthRequired),
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

  it('fails without a message if the user closes the dialog', async () => {
    const server = guardedServer()
    open()
    press('reveal')
    fireEvent.keyDown(await screen.findByRole('dialog'), { key: 'Escape' })

    await waitFor(() => expect(shown()).toBe('nothing'))
    expect(calls(server, '/api/user/token')).toBe(1)
    expect(document.querySelector('.ant-message-error')).toBeNull()
  })

  it('is not sent a third time', async () => {
    const server = fakeServer({ [SECURITY]: succeeded(aSecurity()), [PROVE]: succeeded({}), [TOKEN]: reauthRequired })
    open()
    press('reveal')
    await screen.findByLabelText('密码')
    type('密码', 'high-tide-77')
    press('确认')

    await waitFor(() => expect(shown()).toBe('nothing'))
    expect(calls(server, '/api/user/token')).toBe(2)
  })

  it('fails when the session ends', async () => {
    guardedServer()
    open()
    press('reveal')
    await screen.findByRole('dialog')

    forgetUser('expired')

    await waitFor(() => expect(shown()).toBe('nothing'))
  })
})

describe('the re-authentication dialog', () => {
  it('shows a wrong password at the field and allows another attempt', async () => {
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

  it('submits a code with the sixth digit', async () => {
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

  it('offers the methods that the server accepts', async () => {
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

  it('sends an account without a method to the sign-in page', async () => {
    guardedServer(aSecurity({ has_password: false, reauth_methods: [] }))
    const { address } = open()
    press('reveal')

    fireEvent.click(await screen.findByRole('button', { name: '重新登录' }))

    await waitFor(() => expect(address()).toBe('/login?returnTo=%2Fapp%2Fme%3Ftab%3Dsecurity'))
    await waitFor(() => expect(useSession.getState().user).toBeNull())
  })

  it('retries if the methods could not be loaded', async () => {
    let tries = 0
    fakeServer({
      [SECURITY]: () => {
        tries += 1
        return tries === 1 ? refused('internal_error', '', 500) : succeeded(aSecurity())
      },
      [TOKEN]: reauthRequired,
    })
    open()
    press('reveal')

    fireEvent.click(await screen.findByRole('button', { name: '重试' }))

    expect(await screen.findByLabelText('密码')).toBeTruthy()
  })
})
