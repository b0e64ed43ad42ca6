import { MESSAGE_FORMATS, MESSAGE_LIMITS } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Form, Input, Radio } from '../../../ui/kit/index.ts'
import { useFirstFocus } from '../../../ui/use-first-focus.ts'
import styles from '../messages.module.css'
import { LivePreview } from './live-preview.tsx'
import { contentProblem, titleProblem } from './message-rules.ts'
import type { MessageValues } from './message-values.ts'
import { useRule } from './use-rule.ts'

/** The page itself has a `content` already, which the link past the menus leads to. */
const CONTENT_ID = 'message-content'

/** What the message says, and how it will look. */
export function TextFields() {
  const { t } = useTranslation('messages')
  const first = useFirstFocus()
  const rule = useRule()
  return (
    <div className={styles.writing}>
      <div>
        <Form.Item<MessageValues> name="title" label={t('form.title')} rules={[rule(titleProblem)]}>
          <Input ref={first} autoComplete="off" count={{ show: true, max: MESSAGE_LIMITS.title }} />
        </Form.Item>
        <Form.Item<MessageValues> name="format" label={t('form.format')}>
          <Radio.Group
            optionType="button"
            options={MESSAGE_FORMATS.map((format) => ({ value: format, label: t(`formats.${format}`) }))}
          />
        </Form.Item>
        <Form.Item<MessageValues>
          name="content"
          htmlFor={CONTENT_ID}
          label={t('form.content')}
          extra={t('form.contentHint')}
          rules={[rule(contentProblem)]}
        >
          <Input.TextArea id={CONTENT_ID} rows={8} />
        </Form.Item>
      </div>
      <LivePreview />
    </div>
  )
}
