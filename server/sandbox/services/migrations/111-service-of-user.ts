/** Since when a user has a service: never before there was the user. */
export const serviceOfUser = `
alter table user_services add column since timestamptz;
update user_services held set since = greatest(i.created, u.created)
from service_instances i, users u where i.id = held.instance_id and u.id = held.user_id;
alter table user_services alter column since set not null;
`;
