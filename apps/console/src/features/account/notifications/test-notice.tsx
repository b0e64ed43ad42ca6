import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, errorText } from '../../../api/errors.ts'
import { Alert, Button, Form, Space } from '../../../ui/kit/index.ts'
import { DeliveryStatus } from '../deliveries/delivery-status.tsx'
import me from '../account.module.css'
import type { NotifyType } from '../setting.ts'
import { FIELD_OF_REFUSAL, type NoticeValues } from './notice-values.ts'
import { useTestNotice, type TestResult } from './queries.ts'
import styles from './notices.module.css'

interface Props {
  type: NotifyType
  /** Mails are tried with the address that is stored; a new one has to be proven first. */
  savedAddress: string
  /** A refusal about a field. */
  onRefused(error: Error): void
  /** The buttons beside this one. */
  children: ReactNode
}

/** Tries what the form holds before it is saved. */
export function TestNotice({ type, savedAddress, onRefused, children }: Props) {
  const { t } = useTranslation('me')
  const form = Form.useFormInstance<NoticeValues>()
  const test = useTestNotice()
  const isOfThisType = test.variables?.notify_type === type // not of the one that was chosen before
  const send = async () => {
    if (type === 'webhook' && !(await isValid())) return form.scrollToField('webhook_url', { focus: true })
    const { webhook_url, webhook_secret, webhook_bearer } = form.getFieldsValue(true) as NoticeValues
    const draft = type === 'webhook' ? { webhook_url: webhook_url.trim(), webhook_secret, webhook_bearer } : {}
    test.mutate({ notify_type: type, ...draft }, { onError: (error) => isAboutField(error) && onRefused(error) })
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
          <span className={me.hint}>{t('notices.testTo', { address: savedAddress })}</span>
        )}
      </Space>
      {test.data && isOfThisType && <Result {...test.data} />}
      {test.error && isOfThisType && !isAboutField(test.error) && (
        <Alert className={styles.result} type="error" showIcon title={errorText(test.error)} />
      )}
    </>
  )
}

const isAboutField = (error: Error) => error instanceof ApiError && error.code in FIELD_OF_REFUSAL

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
      {error && <span className={me.trouble}>{error}</span>}
      {response_body && <code className={me.answer}>{response_body}</code>}
    </output>
  )
}
