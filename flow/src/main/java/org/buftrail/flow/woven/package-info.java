/**
 * What woven code calls: {@link org.buftrail.flow.woven.Buffers} for buffers, {@link
 * org.buftrail.flow.woven.Resources}, {@link org.buftrail.flow.woven.ExecutorScopes} and {@link
 * org.buftrail.flow.woven.MemoryAlarm}; {@link org.buftrail.flow.woven.AddedResources} for what
 * applications add; the other classes do their work. Applications do not call these.
 */
@NullMarked
package org.buftrail.flow.woven;

import org.jspecify.annotations.NullMarked;
