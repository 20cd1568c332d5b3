/** Names of the two commands behind every `delivered` node; their `with` holds the node's own parameters. */
export const openDelivered = 'delivered.open';
export const submitDelivered = 'delivered.submit';
