import type { EChartsCoreOption } from 'echarts/core'
import { useEffect, useRef, useState } from 'react'
import { useWantsLessMotion } from '../lib/use-media.ts'
import styles from './chart.module.css'
import type { EChartsType } from './chart-engine.ts'
import { Skeleton } from './kit/index.ts'

export type ChartOption = EChartsCoreOption

interface Props {
  /** What the picture says, in a sentence, for people who cannot see it. */
  label: string
  /** Pixels; reserved before anything is drawn, so that nothing moves. */
  height: number
  option: ChartOption
}

/** A picture of numbers. Follows its place's width; moves only for people who do not mind. */
export function Chart({ label, height, option }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const chart = useChart(host)
  const animation = !useWantsLessMotion()
  useEffect(() => {
    chart?.setOption({ ...option, animation, animationDuration: 150, animationDurationUpdate: 150 }, { notMerge: true })
  }, [chart, option, animation])
  return (
    <figure className={styles.chart} style={{ height }} aria-label={label} data-drawn={chart !== null}>
      <div ref={host} className={styles.host} aria-hidden />
      {chart === null && <Skeleton.Node active className={styles.loading} />}
    </figure>
  )
}

/** The chart in its place, once the library has come. */
function useChart(host: React.RefObject<HTMLDivElement | null>): EChartsType | null {
  const [chart, setChart] = useState<EChartsType | null>(null)
  useEffect(() => {
    const place = host.current!
    let made: EChartsType | undefined
    let isWanted = true
    const watcher = new ResizeObserver(() => made?.resize())
    void import('./chart-engine.ts').then(({ init }) => {
      if (!isWanted) return
      made = init(place)
      watcher.observe(place)
      setChart(made)
    })
    return () => {
      isWanted = false
      watcher.disconnect()
      made?.dispose()
      setChart(null)
    }
  }, [host])
  return chart
}
