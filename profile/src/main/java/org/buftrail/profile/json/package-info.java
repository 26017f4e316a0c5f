/** Writing JSON without a library. */
package org.buftrail.profile.json;
