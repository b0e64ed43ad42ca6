import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { succeeded } from '../../../../test/fake-server.ts'
import { aUser } from '../../../../test/samples.ts'
import { openPart, press, withSetting } from '../test-account.tsx'
import { PreferenceForm } from './preference-form.tsx'

const SAVE = 'PUT /api/user/setting'

describe.each([
  ['accept_unset_model_ratio_model', '允许调用未设置价格的模型'],
  ['show_ip_in_logs', '在日志中记录来源 IP'],
] as const)('the preference %s', (name, label) => {
  const openForm = (options: Parameters<typeof openPart>[1]) =>
    openPart((user) => <PreferenceForm user={user} name={name} />, options)

  it('saves only this preference', async () => {
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
    const control = await screen.findByLabelText(label)
    expect(control.getAttribute('aria-checked')).toBe('false')

    fireEvent.click(control)
    press('保存')

    await screen.findByText('设置已保存')
    expect(sent(SAVE).map(({ body }) => body)).toEqual([{ [name]: true }])
    await waitFor(() => expect(control.getAttribute('aria-checked')).toBe('true'))
  })

  it('reports if nothing has changed', async () => {
    const { sent } = openForm({ user: withSetting({ [name]: true }) })
    const control = await screen.findByLabelText(label)
    fireEvent.click(control)
    fireEvent.click(control)

    press('保存')

    await screen.findByText('没有需要保存的修改')
    expect(sent(SAVE)).toEqual([])
  })
})
