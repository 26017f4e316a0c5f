package org.buftrail.cli.memory;

/**
 * Addresses that have one owner.
 *
 * @param owner whose they are
 * @param start the first
 * @param end the one after the last
 */
record Range(Owner owner, long start, long end) {}
