import { useTranslation } from 'react-i18next'
import { Form, Input, Switch } from '../../../ui/kit/index.ts'
import type { NoticeValues } from './notice-values.ts'
import { SecretField } from './secret-field.tsx'

/** The address that is called, and the secret that goes along. */
export function WebhookFields({ isSecretSet }: { isSecretSet: boolean }) {
  const { t } = useTranslation('me')
  return (
    <>
      <Form.Item<NoticeValues>
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
      <Form.Item<NoticeValues>
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
