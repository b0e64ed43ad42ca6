import {
  MESSAGE_FORMATS,
  MESSAGE_LIMITS,
  MESSAGE_TARGETS,
  type MessageFormat,
  type MessageTarget,
} from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import dayjs, { type Dayjs } from 'dayjs'
import { useDeferredValue, useId, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { groupNamesQuery } from '../../api/group-names.ts'
import { RichContent } from '../../ui/content/rich-content.tsx'
import { useFirstFocus } from '../../ui/form/use-first-focus.ts'
import { DatePicker, Form, Input, Radio, Select } from '../../ui/kit/index.ts'
import type { MessageValues, NewMessageValues } from './message-values.ts'
import styles from './messages.module.css'
import { UserPicker } from './recipients.tsx'

const trim = (text: string) => text.trim()

/** `content` is the target of the skip link. */
const CONTENT_ID = 'message-content'

/** Title, content and its format. */
export function TextFields() {
  const { t } = useTranslation('messages')
  const first = useFirstFocus()
  const checkSize = (_: unknown, content: string) =>
    new TextEncoder().encode(content.trim()).length > MESSAGE_LIMITS.contentBytes
      ? Promise.reject(new Error(t('problems.contentLong', { max: MESSAGE_LIMITS.contentBytes / 1024 })))
      : Promise.resolve()
  return (
    <>
      <Form.Item<MessageValues>
        name="title"
        label={t('form.title')}
        validateFirst
        rules={[
          { required: true, whitespace: true, message: t('problems.titleBlank') },
          {
            max: MESSAGE_LIMITS.title,
            transform: trim,
            message: t('problems.titleLong', { max: MESSAGE_LIMITS.title }),
          },
        ]}
      >
        <Input ref={first} autoComplete="off" count={{ show: true, max: MESSAGE_LIMITS.title }} />
      </Form.Item>
      <div className={styles.content}>
        <Form.Item<MessageValues>
          name="content"
          htmlFor={CONTENT_ID}
          label={t('form.content')}
          extra={t('form.contentHint')}
          validateFirst
          rules={[{ required: true, whitespace: true, message: t('problems.contentBlank') }, { validator: checkSize }]}
        >
          <Input.TextArea id={CONTENT_ID} rows={8} />
        </Form.Item>
        <div className={styles.formatChoice}>
          <Form.Item<MessageValues> name="format" noStyle>
            <Radio.Group
              size="small"
              optionType="button"
              aria-label={t('form.format')}
              options={MESSAGE_FORMATS.map((format) => ({ value: format, label: t(`formats.${format}`) }))}
            />
          </Form.Item>
        </div>
      </div>
    </>
  )
}

/** Immediately, or at a time in the browser's time zone. */
export function TimeFields({ known = null }: { known?: number | null }) {
  const { t } = useTranslation('messages')
  const when = Form.useWatch<MessageValues['when']>('when')
  // A stored time may have passed in the meantime.
  const checkTime = (_: unknown, time: Dayjs | null) => {
    if (!time) return Promise.reject(new Error(t('problems.noTime')))
    if (time.unix() === known) return Promise.resolve()
    if (!time.isAfter(dayjs())) return Promise.reject(new Error(t('problems.timePast')))
    const isTooFar = time.isAfter(dayjs().add(MESSAGE_LIMITS.scheduleDays, 'day'))
    return isTooFar ? Promise.reject(new Error(t('problems.timeFar'))) : Promise.resolve()
  }
  return (
    <>
      <Form.Item<MessageValues> name="when" label={t('form.when')}>
        <Radio.Group options={(['now', 'later'] as const).map((value) => ({ value, label: t(`form.${value}`) }))} />
      </Form.Item>
      {when === 'later' && (
        <Form.Item<MessageValues>
          name="time"
          label={t('form.time')}
          extra={t('form.timeHint', { zone: new Intl.DateTimeFormat().resolvedOptions().timeZone })}
          rules={[{ validator: checkTime }]}
        >
          <DatePicker
            showTime={{ format: 'HH:mm' }}
            format="YYYY-MM-DD HH:mm"
            disabledDate={(day: Dayjs) => day.isBefore(dayjs().startOf('day'))}
            onKeyDown={keepForm}
          />
        </Form.Item>
      )}
    </>
  )
}

/** Enter accepts the typed time and must not submit the form. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault()
}

/** Some users, a group, or everyone. */
export function RecipientFields() {
  const { t } = useTranslation('messages')
  const target = Form.useWatch<MessageTarget | undefined>('target') ?? 'users'
  return (
    <>
      <Form.Item<NewMessageValues>
        name="target"
        label={t('form.recipients')}
        {...(target === 'all' && { extra: t('form.allHint') })}
      >
        <Radio.Group
          options={MESSAGE_TARGETS.map((choice) => ({ value: choice, label: t(`form.target.${choice}`) }))}
        />
      </Form.Item>
      {target === 'users' && (
        <Form.Item<NewMessageValues>
          name="user_ids"
          rules={[{ required: true, type: 'array', min: 1, message: t('problems.noRecipients') }]}
        >
          <UserPicker />
        </Form.Item>
      )}
      {target === 'group' && <GroupField />}
    </>
  )
}

function GroupField() {
  const { t } = useTranslation('messages')
  const groups = useQuery(groupNamesQuery)
  return (
    <Form.Item<NewMessageValues>
      name="group"
      label={t('form.group')}
      extra={t('form.groupHint')}
      rules={[{ required: true, message: t('problems.noGroup') }]}
    >
      <Select
        className={styles.group}
        showSearch
        loading={groups.isLoading}
        placeholder={t('form.groupPlaceholder')}
        options={groups.data?.map((name) => ({ value: name, label: name })) ?? []}
      />
    </Form.Item>
  )
}

/** The message as recipients see it. Deferred, so that typing stays fast. */
export function LivePreview() {
  const { t } = useTranslation('messages')
  const label = useId()
  const title = useDeferredValue(Form.useWatch<string | undefined>('title') ?? '').trim()
  const content = useDeferredValue(Form.useWatch<string | undefined>('content') ?? '')
  const format = Form.useWatch<MessageFormat | undefined>('format') ?? 'markdown'
  const isEmpty = title === '' && content.trim() === ''
  return (
    <section className={styles.preview} aria-labelledby={label}>
      <h3 id={label} className={styles.previewLabel}>
        {t('form.preview')}
      </h3>
      <div className={styles.previewBody}>
        {isEmpty && <p className="secondary">{t('form.previewEmpty')}</p>}
        {title !== '' && <p className={styles.previewTitle}>{title}</p>}
        <RichContent text={content} format={format} />
      </div>
    </section>
  )
}
