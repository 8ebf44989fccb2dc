"""The suite's fixture resources, prompts and completions: of ours one app has resources, and none the others."""

from __future__ import annotations

import base64
import re

import mcp_types as types
from mcp.shared.exceptions import MCPError

from tests.conformance.fixtures import PIXEL, Context
from tests.conformance.rounds import elicit, wanted

__all__ = (
    "complete_argument", "get_prompt", "list_prompts", "list_resources", "list_templates", "nothing", "read_resource",
)  # fmt: skip

_TEXT, _BINARY, _TEMPLATE = "test://static-text", "test://static-binary", "test://template/{id}/data"
_PIXEL = base64.b64encode(PIXEL).decode()


async def list_resources(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
    return types.ListResourcesResult(
        resources=[
            types.Resource(uri=_TEXT, name="text", description="A text.", mime_type="text/plain"),
            types.Resource(uri=_BINARY, name="picture", description="A picture.", mime_type="image/png"),
        ]
    )


async def list_templates(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
    template = types.ResourceTemplate(uri_template=_TEMPLATE, name="data", description="Data by id.")
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def read_resource(_: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    uri = params.uri
    content: types.TextResourceContents | types.BlobResourceContents
    if uri == _TEXT:
        text = "This is the content of the static text resource."
        content = types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)
    elif uri == _BINARY:
        content = types.BlobResourceContents(uri=uri, mime_type="image/png", blob=_PIXEL)
    elif match := re.fullmatch("test://template/([^/]+)/data", uri):
        text = f'{{"id":"{match[1]}","templateTest":true,"data":"Data for ID: {match[1]}"}}'
        content = types.TextResourceContents(uri=uri, mime_type="application/json", text=text)
    else:
        raise MCPError(types.INVALID_PARAMS, "Resource not found", {"uri": uri})
    return types.ReadResourceResult(contents=[content])


async def nothing(_: Context, __: object) -> types.EmptyResult:
    """Answers subscriptions and log levels, which nothing here depends on."""
    return types.EmptyResult()


_ARGUMENTS = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}


async def list_prompts(_: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=name,
                description="A prompt of the suite.",
                arguments=[types.PromptArgument(name=argument, required=True) for argument in arguments],
            )
            for name, arguments in _ARGUMENTS.items()
        ]
    )


def _said(*content: types.ContentBlock | str) -> types.GetPromptResult:
    blocks = [types.TextContent(type="text", text=each) if isinstance(each, str) else each for each in content]
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=block) for block in blocks])


async def get_prompt(
    _: Context, params: types.GetPromptRequestParams
) -> types.GetPromptResult | types.InputRequiredResult:
    given = params.arguments or {}
    match params.name:
        case "test_simple_prompt":
            return _said("This is a simple prompt for testing.")
        case "test_prompt_with_arguments":
            return _said(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'")
        case "test_prompt_with_embedded_resource":
            text = "Embedded resource content for testing."
            held = types.TextResourceContents(uri=given["resourceUri"], mime_type="text/plain", text=text)
            block = types.EmbeddedResource(type="resource", resource=held)
            return _said(block, "Please process the embedded resource above.")
        case "test_prompt_with_image":
            image = types.ImageContent(type="image", data=_PIXEL, mime_type="image/png")
            return _said(image, "Please analyze the image above.")
        case "test_input_required_result_prompt":
            if params.input_responses:
                return _said("The context is known now.")
            return wanted(user_context=elicit("What context should the prompt use?", context="string"))
    raise MCPError(types.INVALID_PARAMS, f"no prompt {params.name!r}")


async def complete_argument(_: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
    values = [word for word in ("paris", "park", "party") if word.startswith(params.argument.value)]
    return types.CompleteResult(completion=types.Completion(values=values, total=len(values), has_more=False))
