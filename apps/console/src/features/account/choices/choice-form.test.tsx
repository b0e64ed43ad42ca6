import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { succeeded } from '../../../../test/fake-server.ts'
import { aUser } from '../../../../test/samples.ts'
import { openPart, press, withSetting } from '../test-me.tsx'
import { ChoiceForm } from './choice-form.tsx'

const SAVE = 'PUT /api/user/setting'

describe.each([
  ['accept_unset_model_ratio_model', '允许调用未设置价格的模型'],
  ['show_ip_in_logs', '在日志中记录来源 IP'],
] as const)('the choice %s', (name, label) => {
  const openForm = (options: Parameters<typeof openPart>[1]) =>
    openPart((user) => <ChoiceForm user={user} name={name} />, options)

  it('changes that and nothing else', async () => {
    let setting: Record<string, unknown> = { notify_type: 'webhook' }
    const { sent } = openForm({
      routes: {
        'GET /api/user/self': () => succeeded(aUser(withSetting(setting))),
        [SAVE]: ({ body }) => {
          setting = { ...setting, ...(body as object) }
          return succeeded()
        },
      },
    })
    const choice = await screen.findByLabelText(label)
    expect(choice.getAttribute('aria-checked')).toBe('false')

    fireEvent.click(choice)
    press('保存')

    await screen.findByText('设置已保存')
    expect(sent(SAVE).map(({ body }) => body)).toEqual([{ [name]: true }])
    await waitFor(() => expect(choice.getAttribute('aria-checked')).toBe('true'))
  })

  it('says so when nothing was changed', async () => {
    const { sent } = openForm({ user: withSetting({ [name]: true }) })
    const choice = await screen.findByLabelText(label)
    fireEvent.click(choice)
    fireEvent.click(choice)

    press('保存')

    await screen.findByText('没有需要保存的修改')
    expect(sent(SAVE)).toEqual([])
  })
})
