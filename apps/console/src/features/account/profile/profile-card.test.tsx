import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { useSession } from '../../../api/session.ts'
import { stored } from '../../../lib/stored.ts'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { aUser } from '../../../../test/samples.ts'
import { fill, openAccount, openPart, press } from '../test-account.tsx'
import { ModelsCard, ProfileCard } from './profile-card.tsx'

const MODELS = Array.from({ length: 12 }, (_, number) => `tide-${number + 1}`)
const SAVE = 'PUT /api/user/self'

const openProfile = (options: Parameters<typeof openAccount>[0] = {}) =>
  openPart((user) => <ProfileCard user={user} />, options)
const openModels = (options: Parameters<typeof openAccount>[0] = {}) => openPart(() => <ModelsCard />, options)

async function openEditor(options: Parameters<typeof openAccount>[0] = {}) {
  const profile = openProfile(options)
  fireEvent.click(await screen.findByRole('button', { name: '编辑资料' }))
  await screen.findByRole('dialog')
  return profile
}

const save = () => fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: '保存' }))

describe('the profile', () => {
  it('shows names, role, balance and usage', async () => {
    openProfile({
      user: { display_name: 'Mira Sea', quota: 617_284, used_quota: 50_000, request_count: 1234, role: 10 },
    })

    await screen.findByRole('heading', { name: 'Mira Sea' })

    const card = screen.getByRole('region', { name: '个人信息' })
    for (const text of ['mira · ID 7', '管理员', '分组 default', '$1.23', '$0.10', '1,234'])
      expect(within(card).getByText(text)).toBeTruthy()
  })

  it('shows a load error and retries', async () => {
    let isAway = true
    openAccount({
      routes: {
        'GET /api/user/self': () => (isAway ? refused('internal_error', '', 500) : succeeded(aUser())),
      },
    })
    const retry = await screen.findByRole('button', { name: '重试' })

    isAway = false
    fireEvent.click(retry)

    await screen.findByRole('heading', { name: 'Mira' })
  })
})

describe('the model list', () => {
  it('shows ten models until it is expanded, and stores that', async () => {
    openModels({ routes: { 'GET /api/user/models': succeeded(MODELS) } })
    const list = await screen.findByRole('list', { name: /可用模型/ })
    expect(within(list).getAllByRole('listitem')).toHaveLength(10)

    press('展开全部 12 个')

    expect(within(list).getAllByRole('listitem')).toHaveLength(12)
    expect(stored.modelsExpanded.get()).toBe(true)
  })

  it('copies a model name', async () => {
    const writeText = vi.fn(async () => {})
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
    openModels()

    fireEvent.click(await screen.findByRole('button', { name: '复制模型名 gpt-4o' }))

    await waitFor(() => expect(writeText).toHaveBeenCalledWith('gpt-4o'))
  })
})

describe('the profile dialog', () => {
  it('sends only changed names and updates the session', async () => {
    let name = 'Mira'
    const { sent } = await openEditor({
      routes: {
        'GET /api/user/self': () => succeeded(aUser({ display_name: name })),
        [SAVE]: () => {
          name = 'Captain'
          return succeeded()
        },
      },
    })

    fill('显示名称', ' Captain ')
    save()

    await screen.findByRole('heading', { name: 'Captain' })
    expect(sent(SAVE).map(({ body }) => body)).toEqual([{ display_name: 'Captain' }])
    expect(useSession.getState().user?.display_name).toBe('Captain')
  })

  it('sends nothing if nothing has changed', async () => {
    const { sent } = await openEditor()

    save()

    await screen.findByText('没有需要保存的修改')
    expect(sent(SAVE)).toEqual([])
  })

  it('shows a server error at the username', async () => {
    await openEditor({
      routes: { [SAVE]: refused('username_changed_recently', '用户名每 30 天只能修改一次') },
    })

    fill('用户名', 'captain')
    save()

    await screen.findByText('用户名每 30 天只能修改一次')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('用户名')))
  })

  it.each([
    ['用户名', 'thirteen-char', '用户名最长 12 个字符'],
    ['用户名', 'mira@sea', '用户名不能包含 @'],
    ['用户名', ' ', '请输入用户名'],
    ['显示名称', '', '请输入显示名称'],
    ['显示名称', 'x'.repeat(21), '显示名称最长 20 个字符'],
  ])('checks the limits: %s %j', async (label, value, problem) => {
    const { sent } = await openEditor()

    fill(label, value)
    save()

    await screen.findByText(problem)
    expect(sent(SAVE)).toEqual([])
  })

  it('asks before changes are discarded', async () => {
    await openEditor()
    fill('显示名称', 'Captain')

    press('取消')

    fireEvent.click(await screen.findByRole('button', { name: '继续编辑' }))
    expect(screen.getByLabelText('显示名称')).toHaveProperty('value', 'Captain')
  })
})
