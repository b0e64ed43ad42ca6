import dayjs, { type Dayjs } from 'dayjs'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatExactTime } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { App, Button, DatePicker } from '../../../ui/kit/index.ts'
import { useCleanLogs } from '../queries.ts'
import styles from '../settings.module.css'

/** Removes what was logged before a time, after a question that says what is lost. */
export function CleanLogs() {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const id = useId()
  const clean = useCleanLogs()
  const [until, setUntil] = useState<Dayjs | null>(() => dayjs().subtract(1, 'month').startOf('day'))
  const ask = () => {
    if (!until) return toast.info(t('cleanUp.needsTime'))
    modal.confirm({
      title: t('cleanUp.confirmTitle', { time: formatExactTime(until.unix()) }),
      content: t('cleanUp.confirmText'),
      okText: t('cleanUp.action'),
      cancelText: common('cancel'),
      okButtonProps: { danger: true },
      // A refusal has been told by a toast.
      onOk: () =>
        clean.mutateAsync(until.unix()).then(
          (removed) => toast.success(t('cleanUp.done', { count: removed })),
          () => {},
        ),
    })
  }
  return (
    <div className={styles.extra}>
      <h3>{t('cleanUp.title')}</h3>
      <p className={styles.help}>{t('cleanUp.hint')}</p>
      <div className={styles.line}>
        <label htmlFor={id}>{t('cleanUp.until')}</label>
        <DatePicker
          id={id}
          showTime
          value={until}
          onChange={(next: Dayjs | null) => setUntil(next)}
          disabledDate={(day: Dayjs) => day.isAfter(dayjs())}
        />
        <Button danger onClick={ask}>
          {t('cleanUp.action')}
        </Button>
      </div>
    </div>
  )
}
