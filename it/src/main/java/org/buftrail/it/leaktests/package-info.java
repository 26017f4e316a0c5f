/**
 * Tests with planted leaks beside clean twins, for those who look for leaks in tests. Each whose
 * name begins with {@code leak} must fail, and each class whose name begins with {@code Leaking};
 * every other must pass.
 */
@org.jspecify.annotations.NullMarked
package org.buftrail.it.leaktests;
