export const autotaskPath = '/psa/autotask';

export const connectWisePath = '/psa/connectwise';
