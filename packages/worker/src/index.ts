/** Background work of the site. */
export { auditJobs } from './audit-jobs.ts'
export { channelJobs } from './channel-jobs.ts'
export { logJobs } from './log-jobs.ts'
export { maintenanceJobs } from './jobs.ts'
export { messageJobs } from './message-jobs.ts'
export { noticeJobs } from './notice-jobs.ts'
export { runJobs, type Job, type RunningJobs } from './run-jobs.ts'
export { taskJobs } from './task-jobs.ts'
