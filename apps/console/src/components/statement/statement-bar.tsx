import { DownloadOutlined, ReloadOutlined } from '@ant-design/icons'
import { useMutation } from '@tanstack/react-query'
import { MOVEMENT_KINDS } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Button, Select } from '../../ui/kit/index.ts'
import { formatExactTime } from '../../lib/format.ts'
import { saveCsv } from '../../lib/save-file.ts'
import type { StatementSource } from './statement-query.ts'
import styles from './statement.module.css'

interface Props {
  source: StatementSource
  /** Blank for all. */
  kind: string
  onChoose(kind: string): void
  onRefresh(): void
  refreshing: boolean
}

export function StatementBar({ source, kind, onChoose, onRefresh, refreshing }: Props) {
  const { t } = useTranslation('wallet')
  const { t: common } = useTranslation()
  const download = useMutation({
    mutationFn: () => source.readFile(kind),
    onSuccess: (text) => saveCsv(`${source.fileName}-${today()}.csv`, text),
  })
  return (
    <search className={styles.bar} aria-label={t('statement.filters')}>
      <Select
        className={styles.kinds}
        aria-label={t('statement.columns.kind')}
        value={kind}
        onChange={onChoose}
        popupMatchSelectWidth={false}
        options={[
          { value: '', label: t('statement.allKinds') },
          ...MOVEMENT_KINDS.map((one) => ({ value: one, label: t(`kinds.${one}`) })),
        ]}
      />
      <span className={styles.tools}>
        <Button
          icon={<DownloadOutlined aria-hidden />}
          loading={download.isPending}
          onClick={() => !download.isPending && download.mutate()}
        >
          {t('statement.export')}
        </Button>
        <Button icon={<ReloadOutlined aria-hidden />} loading={refreshing} onClick={onRefresh}>
          {common('refresh')}
        </Button>
      </span>
    </search>
  )
}

const today = () => formatExactTime(Date.now() / 1000).slice(0, 'yyyy-mm-dd'.length)
