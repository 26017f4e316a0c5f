@DetectBufferLeaks(graceMillis = 11)
package org.buftrail.junit.described;

import org.buftrail.junit.DetectBufferLeaks;
