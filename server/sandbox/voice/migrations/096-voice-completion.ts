/** A completed voice order kept the day at which it was once expected, which could lie ahead. */
export const voiceCompletion = `
update voice_orders set estimated_completion = greatest(created, least(due, now()))
where status = 'Completed' and estimated_completion > now();
`;
