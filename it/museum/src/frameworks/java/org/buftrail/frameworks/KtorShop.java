// DEPS io.ktor:ktor-server-netty-jvm:3.5.2
// DEPS io.netty:netty-transport-classes-epoll:4.2.16.Final
// LAUNCHER io.ktor.server.netty.EngineMain
// CULPRIT org.buftrail.frameworks.KtorShop.refuse

package org.buftrail.frameworks;

import io.ktor.server.application.Application;
import io.ktor.server.application.ApplicationCallPipeline;
import io.ktor.server.application.PipelineCall;
import io.ktor.server.request.ApplicationRequestPropertiesKt;
import io.ktor.server.response.ApplicationResponseFunctionsKt;
import io.ktor.util.pipeline.PipelineContext;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import kotlin.Unit;
import kotlin.coroutines.Continuation;

/** Encodes a receipt for each order, and keeps those of what it refuses. */
public final class KtorShop {
  private KtorShop() {}

  /** As the configuration names it for Ktor's own main class. */
  public static void module(Application application) {
    application.intercept(ApplicationCallPipeline.ApplicationPhase.getCall(), KtorShop::serve);
    Traffic.begin(Traffic::get);
  }

  private static Object serve(
      PipelineContext<Unit, PipelineCall> context, Unit unit, Continuation<? super Unit> next) {
    PipelineCall call = context.getContext();
    String text = ApplicationRequestPropertiesKt.getUri(call.getRequest());
    String answer = answer(text.substring(text.indexOf('?') + 1));
    return ApplicationResponseFunctionsKt.respondText(
        call, answer, null, null, content -> Unit.INSTANCE, next);
  }

  private static String answer(String order) {
    ByteBuf receipt = Traffic.receipt(order);
    if (Traffic.isRefused(receipt.getByte(0))) {
      return refuse(receipt);
    }
    String text = receipt.toString(StandardCharsets.UTF_8);
    receipt.release();
    return text;
  }

  private static String refuse(ByteBuf receipt) {
    return "refused " + receipt.readableBytes();
  }
}
