import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { App, Button, Form, Input, Space } from '../../../ui/kit/index.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { useSaveSetting } from '../queries.ts'
import type { NoticeValues } from './notice-values.ts'

/** Written, never read: only whether there is one is known. */
export function SecretField({ isSet }: { isSet: boolean }) {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const form = Form.useFormInstance<NoticeValues>()
  const [isReplacing, setReplacing] = useState(false)
  const forget = useForget()
  const stopReplacing = () => {
    form.setFields([{ name: 'webhook_secret', value: '', errors: [] }])
    setReplacing(false)
  }
  return (
    <Form.Item
      label={
        <Space size={8}>
          {t('notices.secret')}
          <StatusTag tone={isSet ? 'good' : 'neutral'}>{t(isSet ? 'notices.set' : 'notices.notSet')}</StatusTag>
        </Space>
      }
      {...((!isSet || isReplacing) && { htmlFor: 'webhook_secret' })}
      extra={t('notices.secretHint')}
    >
      {isSet && !isReplacing ? (
        <Space wrap>
          <Button onClick={() => setReplacing(true)}>{t('notices.replace')}</Button>
          <Button danger onClick={forget}>
            {t('notices.forget')}
          </Button>
        </Space>
      ) : (
        <Space.Compact block>
          <Form.Item<NoticeValues>
            name="webhook_secret"
            noStyle
            rules={[{ pattern: /^[\x21-\x7e]{1,256}$/, message: t('notices.errors.secret') }]}
          >
            <Input.Password className="mono" autoComplete="new-password" />
          </Form.Item>
          {isSet && <Button onClick={stopReplacing}>{common('cancel')}</Button>}
        </Space.Compact>
      )}
    </Form.Item>
  )
}

/** Asks first; then at once, for a secret may have leaked. */
function useForget() {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const save = useSaveSetting()
  return () =>
    void modal.confirm({
      title: t('notices.forgetTitle'),
      content: t('notices.forgetText'),
      okText: t('notices.forget'),
      cancelText: common('cancel'),
      okButtonProps: { danger: true },
      // A refusal has been told by a toast.
      onOk: () =>
        save.mutateAsync({ webhook_secret: null }).then(
          () => toast.success(t('notices.forgotten')),
          () => {},
        ),
    })
}
