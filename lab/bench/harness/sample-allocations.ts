import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'

/**
 * Loaded with `--import` into a process whose allocations are measured. SIGUSR2 starts the sampling; the next one
 * writes the profile to `ALLOCATIONS_FILE`. Objects that were collected meanwhile count too.
 */
const SAMPLING_INTERVAL_BYTES = 16 * 1024
const session = new Session()
let isSampling = false

process.on('SIGUSR2', () => {
  if (isSampling) {
    session.post('HeapProfiler.stopSampling', (error, result) => {
      writeFileSync(process.env.ALLOCATIONS_FILE!, JSON.stringify(error ? { error: String(error) } : result.profile))
      session.disconnect()
    })
  } else {
    session.connect()
    session.post('HeapProfiler.startSampling', {
      samplingInterval: SAMPLING_INTERVAL_BYTES,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    } as object)
  }
  isSampling = !isSampling
})
