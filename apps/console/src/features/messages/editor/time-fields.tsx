import dayjs, { type Dayjs } from 'dayjs'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { DatePicker, Form, Radio } from '../../../ui/kit/index.ts'
import { timeProblem } from './message-rules.ts'
import type { MessageValues } from './message-values.ts'
import { useRule } from './use-rule.ts'

/** At once, or at a time of the person's own zone. */
export function TimeFields({ known = null }: { known?: number | null }) {
  const { t } = useTranslation('messages')
  const rule = useRule()
  const when = Form.useWatch<MessageValues['when']>('when')
  // A time that was set before and is left as it is may have come meanwhile.
  const problemOf = (time: Dayjs | null) => (time && time.unix() === known ? null : timeProblem(time?.unix() ?? null))
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
          rules={[rule(problemOf)]}
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

/** Enter takes the time that was typed, which is not yet a wish to submit the form. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault()
}
