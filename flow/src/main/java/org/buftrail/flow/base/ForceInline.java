package org.buftrail.flow.base;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has HotSpot inline a method whatever it knows of the call. In {@code buftrail.jar} this is the
 * JDK's annotation of the same name, which HotSpot honours in classes of the bootstrap loader.
 *
 * <p>For hops, and the root of an allocation: a method that was inlined before its calls were
 * counted has no frequencies, and there JDK 25 would leave a hop a call.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ForceInline {}
