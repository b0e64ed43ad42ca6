import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { App, Button, Form, Input, Space, Switch } from '../../../ui/kit/index.ts'
import { useSaveSetting } from '../api.ts'
import type { NotificationValues } from './notification-values.ts'

export function WebhookFields({ isSecretSet }: { isSecretSet: boolean }) {
  const { t } = useTranslation('me')
  return (
    <>
      <Form.Item<NotificationValues>
        name="webhook_url"
        label={t('notices.webhook')}
        extra={t('notices.webhookHint')}
        validateFirst
        rules={[
          { required: true, whitespace: true, message: t('notices.errors.webhookRequired') },
          {
            validator: (_, url: string = '') =>
              isHttps(url) ? Promise.resolve() : Promise.reject(new Error(t('notices.errors.webhook'))),
          },
        ]}
      >
        <Input
          className="mono"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://example.com/webhook"
        />
      </Form.Item>
      <SecretField isSet={isSecretSet} />
      <Form.Item<NotificationValues>
        name="webhook_bearer"
        label={t('notices.bearer')}
        extra={t('notices.bearerHint')}
        valuePropName="checked"
      >
        <Switch />
      </Form.Item>
    </>
  )
}

const isHttps = (text: string) => URL.parse(text.trim())?.protocol === 'https:'

/** The server does not return the secret, only whether it is set. */
function SecretField({ isSet }: { isSet: boolean }) {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const form = Form.useFormInstance<NotificationValues>()
  const [isReplacing, setReplacing] = useState(false)
  const removeSecret = useRemoveSecret()
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
          <Button danger onClick={removeSecret}>
            {t('notices.forget')}
          </Button>
        </Space>
      ) : (
        <Space.Compact block>
          <Form.Item<NotificationValues>
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

/** Removes the secret immediately after a confirmation, because it may have leaked. */
function useRemoveSecret() {
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
      // Errors are shown by a toast.
      onOk: () =>
        save.mutateAsync({ webhook_secret: null }).then(
          () => toast.success(t('notices.forgotten')),
          () => {},
        ),
    })
}
