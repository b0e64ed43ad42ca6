import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, errorText } from '../../../api/errors.ts'
import { Alert, Button, Form, Space } from '../../../ui/kit/index.ts'
import account from '../account.module.css'
import type { NotifyType } from '../setting.ts'
import { useTestNotification, type TestResult } from './api.ts'
import { DeliveryStatus } from './delivery-parts.tsx'
import { ERROR_FIELDS, type NotificationValues } from './notification-values.ts'
import styles from './notifications.module.css'

interface Props {
  type: NotifyType
  /** Test emails go to the stored address. A new address has to be verified first. */
  savedAddress: string
  onFieldError(error: Error): void
  /** Buttons before the test button. */
  children: ReactNode
}

/** Sends a test with the values of the form before they are saved. */
export function TestNotification({ type, savedAddress, onFieldError, children }: Props) {
  const { t } = useTranslation('me')
  const form = Form.useFormInstance<NotificationValues>()
  const test = useTestNotification()
  const isCurrentType = test.variables?.notify_type === type
  const send = async () => {
    if (type === 'webhook' && !(await isValid())) return form.scrollToField('webhook_url', { focus: true })
    const { webhook_url, webhook_secret, webhook_bearer } = form.getFieldsValue(true) as NotificationValues
    const draft = type === 'webhook' ? { webhook_url: webhook_url.trim(), webhook_secret, webhook_bearer } : {}
    test.mutate({ notify_type: type, ...draft }, { onError: (error) => isFieldError(error) && onFieldError(error) })
  }
  const isValid = () =>
    form.validateFields(['webhook_url', 'webhook_secret']).then(
      () => true,
      () => false,
    )
  return (
    <>
      <Space wrap>
        {children}
        <Button loading={test.isPending} onClick={() => void send()}>
          {t('notices.test')}
        </Button>
        {type === 'email' && savedAddress && (
          <span className={account.hint}>{t('notices.testTo', { address: savedAddress })}</span>
        )}
      </Space>
      {test.data && isCurrentType && <Result {...test.data} />}
      {test.error && isCurrentType && !isFieldError(test.error) && (
        <Alert className={styles.result} type="error" showIcon title={errorText(test.error)} />
      )}
    </>
  )
}

const isFieldError = (error: Error) => error instanceof ApiError && error.code in ERROR_FIELDS

function Result({ delivery, seconds }: TestResult) {
  const { t } = useTranslation('me')
  const { response_status, response_body, error, target } = delivery
  return (
    <output className={styles.result} aria-label={t('notices.testResult')}>
      <span className={styles.line}>
        <DeliveryStatus status={delivery.status} />
        {response_status !== null && <span className="number">HTTP {response_status}</span>}
        <span className="number secondary">
          {t('notices.took', { seconds: seconds.toFixed(seconds < 10 ? 2 : 1) })}
        </span>
        <span className="mono secondary">{target}</span>
      </span>
      {error && <span className={account.error}>{error}</span>}
      {response_body && <code className={account.response}>{response_body}</code>}
    </output>
  )
}
